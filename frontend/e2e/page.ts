import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { passSecondStep } from './authenticator.ts'

/** Where screenshots go that somebody wants to look at; nowhere unless told. */
const SCREENSHOTS = process.env.SCREENSHOTS

export const PASSWORD = 'double-play-1'

export type Person = { name: string; email: string; role?: 'player' | 'scout' | 'fan' }

/** A toast that says `text`. */
export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })

/** Signs somebody up through the page, which ends on `/`. */
export async function signUp(page: Page, url: string, { name, email, role = 'player' }: Person) {
  await page.goto(`${url}/signin`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByLabel('Role').selectOption(role)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: name.split(' ')[0] })).toBeVisible()
}

export async function signIn(page: Page, url: string, email: string, password = PASSWORD) {
  await page.goto(`${url}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

/** Signs in one of the invented people of supabase/seeds/, which ends on `/`. */
export async function enter(page: Page, url: string, who: string) {
  await signIn(page, url, `${who}@dugout.test`, 'dugout-demo')
  if (who === 'admin') await passSecondStep(page, url)
  await expect(page).toHaveURL(`${url}/`)
}

/** What is typed into under a label, whether it says "(optional)" or not. */
export const entry = (page: Page, label: string) =>
  page.getByRole('textbox', { name: new RegExp(`^${label}( \\(optional\\))?$`) })

/** No sideways scroll; says what sticks out. */
export async function expectToFit(page: Page) {
  const cut = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const out = Array.from(document.body.querySelectorAll('*'))
      .filter((element) => element.getBoundingClientRect().right > clientWidth)
      .map((element) => element.outerHTML.slice(0, 120))
    return [`${scrollWidth} of ${clientWidth} pixels`, ...out]
  })
  expect(cut).toEqual([])
}

/** axe finds nothing at all. */
export async function expectAccessible(page: Page) {
  // Not the spinner of a screen that is still to come.
  await expect(page.locator('h1').first()).toBeVisible()
  expect(await violations(page)).toEqual([])
}

/** What axe finds, a line for each rule. */
export async function violations(page: Page): Promise<string[]> {
  await settled(page)
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)
}

/** A picture of the page, all of it unless only what one sees of it is wanted. */
export async function show(page: Page, name: string, fullPage = true) {
  if (!SCREENSHOTS) return
  await settled(page)
  await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage })
}

/** Half faded in, everything has too little contrast. */
async function settled(page: Page) {
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map((animation) => animation.finished))
  })
}

/** Shows a screen as it stands in both themes, on a phone and at a desk, and checks that it fits and can be read. */
export async function review(page: Page, name: string) {
  const before = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 850 })
      await expectToFit(page)
      await show(page, `${name}-${width}-${colorScheme}`)
    }
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 360, height: 740 })
  await expectToFit(page)
  await page.emulateMedia({ colorScheme: null })
  if (before) await page.setViewportSize(before)
}

/** Everything the page complains about, but for what contains one of `expected`. */
export function watchConsole(page: Page, ...expected: string[]): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`
    if (message.type() === 'error' && !expected.some((part) => text.includes(part))) problems.push(text)
  })
  return problems
}
