import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, signIn, signUp, watchConsole } from './page.ts'

const SEED_PASSWORD = 'dugout-demo'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

const card = (page: Page, name: string) => page.getByRole('region', { name })

test('a fan finds a player, follows, reads what is new, and leaves', async ({ page }) => {
  const problems = watchConsole(page)
  await signUp(page, dugout.url, { name: 'Fay Long', email: 'fay@club.test', role: 'fan' })
  await page.getByLabel('Birth date').fill('1990-02-03')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Yes, save' }).click()
  await expect(card(page, 'Finish your profile')).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: '2 steps to begin, Fay' })).toBeVisible()
  await expect(card(page, 'Following')).toContainText('You follow nobody yet.')
  await review(page, 'home-fan')

  const found = card(page, 'Newly verified').getByRole('link').first()
  const name = (await found.textContent()) ?? ''
  await found.click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Following' })).toBeVisible()
  await page.getByRole('link', { name: 'Dugout, home' }).click()
  await expect(card(page, 'Following').getByRole('listitem').first()).toContainText(name)

  await card(page, 'Following').getByRole('link', { name: 'All' }).click()
  await expect(page.getByRole('main').getByRole('link', { name, exact: true })).toBeVisible()
  await page.getByRole('button', { name: `Unfollow ${name}` }).click()
  await expect(page.getByText('You follow nobody yet')).toBeVisible()

  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(card(page, 'Balance')).toContainText('150')
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
  expect(problems).toEqual([])
})

test('home is another one for every role', async ({ page }) => {
  const problems = watchConsole(page)
  // A player's is looked at in screens.spec.ts, a guardian's in guardian.spec.ts.
  for (const [who, role, part] of [
    ['coach', 'Coach', 'Waiting for you'],
    ['scout', 'Scout', 'Moved on your lists'],
    ['admin', 'Admin', 'The club today'],
  ] as const) {
    await enter(page, dugout.url, who)
    await expect(card(page, part)).toBeVisible()
    // Role, visibility and tokens are shown in the menu, not here.
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expect(page.getByRole('dialog').getByText(new RegExp(`^${role} · Public · [\\d,]+ tokens$`))).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('status', { name: 'Loading' })).toHaveCount(0)
    await review(page, `home-of-${who}`)
    await page.evaluate(() => localStorage.clear())
  }
  expect(problems).toEqual([])
})

test('the suspended are told so on every screen, with what they can still do', async ({ page }) => {
  // A server without apps of others.
  const problems = watchConsole(page, '/user/oauth/grants')
  await signIn(page, dugout.url, 'suspended@dugout.test', SEED_PASSWORD)
  const notice = page.getByRole('alert').filter({ hasText: 'Your account is suspended.' })
  await expect(notice).toBeVisible()
  await expect(card(page, 'What you can still do').getByRole('link')).toHaveCount(3)
  await expect(card(page, 'Finish your profile')).toHaveCount(0)
  await review(page, 'home-suspended')
  await page.goto(`${dugout.url}/player`)
  await expect(notice).toBeVisible()
  await expect(page.getByText('Your account is suspended, so nobody else sees your profile.')).toBeVisible()
  await notice.getByRole('link', { name: 'take your data along or delete the account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
  await expect(notice).toBeVisible()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  expect((await saved).suggestedFilename()).toBe('dugout-data.zip')
  await notice.getByRole('link', { name: 'write to us' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Contact' })).toBeVisible()
  await expect(notice).toBeVisible()
  expect(problems).toEqual([])
})
