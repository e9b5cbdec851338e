import { expect, test, type Browser, type Page } from '@playwright/test'
import { matchPath } from 'react-router'
import { paths } from '../src/lib/paths.ts'
import { Dugout } from './dugout.ts'
import { enter, show, watchConsole, violations } from './page.ts'
import { SCREENS, VISITORS, type Screen } from './screens.ts'

/** Issue 5, "Design": what every screen has in common, looked at as the seeded user whom it is made for. */

/** Not built yet, and one component all of them: `paths.analytics` stands for them. Another issue brings each. */
const UNBUILT: string[] = [
  ...[paths.marketplace, paths.liveStream],
  ...[paths.camps, paths.fields, paths.trainingGuides],
  ...[paths.personalCoach, paths.predictiveAnalytics, paths.swingAnalysis],
]

// The page is a shared one: a trace of it would be of everything.
test.use({ trace: 'off', screenshot: 'off' })

// A test is of many screens, and a busy machine takes its time.
test.describe.configure({ timeout: 300_000 })

let dugout: Dugout
let page: Page
let problems: string[]

test.beforeAll(async ({ browser }) => {
  dugout = await Dugout.start({ seeded: true })
  await open(browser)
})
test.afterAll(() => dugout.stop())
test.afterEach(() => expect(problems.splice(0)).toEqual([]))

test('every screen is looked at', () => {
  const looked = [...VISITORS, ...Object.values(SCREENS).flat()].map(({ path }) => path.split('?')[0] ?? '')
  const seen = [...looked, ...UNBUILT]
  const forgotten = Object.values(paths).filter((path) => !seen.some((one) => matchPath(path, one)))
  expect(forgotten).toEqual([])
})

test('visitors: everything fits, can be read, and keeps still', async () => {
  expect(await lookAt('visitor', VISITORS)).toEqual([])
})

for (const [who, screens] of Object.entries(SCREENS)) {
  test(`${who}: everything fits, can be read, and keeps still`, async ({ browser }) => {
    await page.context().close()
    await open(browser)
    await enter(page, dugout.url, who)
    expect(await lookAt(who, screens)).toEqual([])
  })
}

/** Opens a page without a session. */
async function open(browser: Browser) {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  page = await context.newPage()
  // The page views of a suspended user are not recorded, and this server lets no other app use its accounts.
  problems = watchConsole(page, '/rest/v1/page_views', 'The page view could not be recorded', '/user/oauth/grants')
}

/** What is wrong with the screens, a line for each thing. */
async function lookAt(who: string, screens: readonly Screen[]): Promise<string[]> {
  const faults: string[] = []
  let before = ''
  for (const { path, name, open } of screens) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await go(path, before)
    // A dialog that stays open keeps the focus.
    before = open ? '' : path
    await open?.(page)
    const title = `${who}-${(name ?? path.split('?')[0] ?? '').replace(/^\//, '').replaceAll('/', '-') || 'home'}`
    for (const [scheme, widths, judged] of [
      ['dark', [3840, 1440], 1440],
      ['light', [360, 390], 390],
    ] as const) {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      for (const width of widths) {
        await page.setViewportSize({ width, height: width > 3000 ? 2160 : 850 })
        faults.push(...(await misfitsAt(`${title} at ${width}`)))
        if (width === judged) {
          faults.push(...(await violationsIn(`${title} in the ${scheme}`)))
          await show(page, `${title}-${width}-${scheme}`)
        }
      }
    }
    if (process.env.SCREENSHOTS) await showMore(title)
  }
  return faults
}

/** What does not fit, once charts have found their size and what a larger window shows has loaded. */
async function misfitsAt(place: string): Promise<string[]> {
  let faults: string[] = []
  await expect
    .poll(async () => (faults = await page.evaluate(misfits)), { timeout: 10_000 })
    .toEqual([])
    .catch(() => undefined)
  return faults.map((fault) => `${place}: ${fault}`)
}

/** What axe still finds once everything has loaded: a table is paler while its rows are refreshed. */
async function violationsIn(place: string): Promise<string[]> {
  let faults: string[] = []
  await expect
    .poll(async () => (faults = await violations(page)), { timeout: 30_000 })
    .toEqual([])
    .catch(() => undefined)
  return faults.map((fault) => `${place}: ${fault}`)
}

/** The two pictures that the round has not taken. */
async function showMore(title: string) {
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await show(page, `${title}-390-dark`)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await show(page, `${title}-1440-light`)
}

/** By the router where it can be, as a link does it, and then the focus has to follow. */
async function go(path: string, before: string) {
  const stays = before !== '' && before !== path && !path.includes('?') && !before.includes('?')
  if (stays) {
    await page.evaluate((path) => {
      history.pushState(null, '', path)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    await expect(page.locator('main')).toBeFocused()
  } else await page.goto(dugout.url + path)
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Runs in the page: what sticks out, what is cut off without saying so by "…", which actions of tables need scrolling, and what moves. */
function misfits(): string[] {
  const faults: string[] = []
  const root = document.documentElement
  if (root.scrollWidth > root.clientWidth) faults.push(`scrolls sideways by ${root.scrollWidth - root.clientWidth}px`)
  const moving = document.getAnimations().filter(({ playState }) => playState === 'running')
  const slow = moving.filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 10)
  if (slow.length > 0) faults.push(`${slow.length} animations run`)

  const say = (element: Element) => `${element.tagName.toLowerCase()} "${element.textContent.trim().slice(0, 40)}"`
  // Issue 10, C7. The headers of a wide table may scroll; the actions of its rows are in view.
  for (const button of document.querySelectorAll('tbody button')) {
    if (!button.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { left, right } = button.getBoundingClientRect()
    if (left < -1 || right > root.clientWidth + 1) {
      faults.push(`the action "${button.ariaLabel ?? button.textContent.trim()}" of a table is out of view`)
    }
  }
  for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
    const text = Array.from(element.childNodes).some((node) => node.nodeType === 3 && node.textContent?.trim())
    if (!text || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const style = getComputedStyle(element)
    const box = element.getBoundingClientRect()
    // For screen readers only, or an option of a list.
    if (box.width <= 1 || box.height <= 1 || element instanceof HTMLOptionElement) continue
    if (style.textOverflow === 'ellipsis') continue
    if (style.display !== 'inline' && element.scrollWidth > element.clientWidth + 1) {
      faults.push(`${say(element)} is ${element.scrollWidth - element.clientWidth}px wider than its box`)
    }
    for (let around = element.parentElement; around; around = around.parentElement) {
      const { overflowX } = getComputedStyle(around)
      if (overflowX === 'auto' || overflowX === 'scroll') break
      if (overflowX === 'visible') continue
      const edge = around.getBoundingClientRect()
      if (box.right > edge.right + 1 || box.left < edge.left - 1) {
        faults.push(`${say(element)} is cut off by ${around.tagName.toLowerCase()}.${around.className.slice(0, 30)}`)
        break
      }
    }
  }
  return faults
}
