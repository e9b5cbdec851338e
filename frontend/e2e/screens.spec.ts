import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { review, signIn, signUp, toast, watchConsole } from './page.ts'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

test('specification 2: signed-out visitors are told in place, and see what is public', async ({ page }) => {
  const problems = watchConsole(page)
  await page.goto(`${dugout.url}/rankings`)
  await expect(page.getByText('Sign in to see this')).toBeVisible()
  await expect(page).toHaveURL(`${dugout.url}/rankings`)
  await review(page, 'visitor-rankings')
  for (const [path, title] of [
    ['/privacy-policy', 'Privacy Policy'],
    ['/terms-of-service', 'Terms of Service'],
    ['/reset-password', 'Reset Password'],
  ] as const) {
    await page.goto(dugout.url + path)
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await review(page, path.slice(1))
  }
  expect(problems).toEqual([])
})

test('a visitor chooses a tier, which the sign-up sends and forgets (specification 3, 4 and 8)', async ({ page }) => {
  await page.goto(`${dugout.url}/pricing`)
  await expect(page.getByRole('heading', { level: 1, name: 'Pricing' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Choose/ }).first()).toBeVisible()
  await review(page, 'pricing')
  await page
    .getByRole('button', { name: /^Choose/ })
    .first()
    .click()
  await expect(page).toHaveURL(`${dugout.url}/signin`)
  const tier = await page.evaluate(() => localStorage.getItem('selectedMembershipTier'))
  const price = await page.evaluate(() => localStorage.getItem('selectedMembershipPrice'))
  await page.goBack()
  await expect(page.getByRole('listitem').filter({ hasText: 'Your choice' })).toHaveCount(1)
  await page.goForward()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill('Hank Rowe')
  await page.reload()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByLabel('Full Name')).toHaveValue('Hank Rowe')
  await page.getByLabel('Email').fill('hank@club.test')
  await page.getByLabel('Password', { exact: true }).fill('double-play-1')
  await page.getByLabel('Confirm Password').fill('double-play-1')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(toast(page, `Welcome to ${tier ?? ''} Membership!`)).toContainText(
    `Your plan is $${price ?? ''}/mo. Payment setup is coming soon.`,
  )
  expect(await page.evaluate(() => localStorage.getItem('selectedMembershipTier'))).toBeNull()
  const [user] = await dugout.query<{ tier: string }>(
    "select raw_user_meta_data ->> 'membership_tier' as tier from auth.users where email = 'hank@club.test'",
  )
  expect(user?.tier).toBe(tier)
})

test('tokens: link, QR code, funnel, and a ledger whose sum is the balance', async ({ page }) => {
  const problems = watchConsole(page)
  await signUp(page, dugout.url, { name: 'Bo Diaz', email: 'bo@club.test' })
  await page.goto(`${dugout.url}/referrals`)
  await expect(page.getByRole('region', { name: 'Balance' })).toContainText('150')
  await expect(page.getByRole('img', { name: 'QR code of your referral link' })).toBeVisible()
  await expect(page.getByRole('cell', { name: '+150' })).toBeVisible()
  await review(page, 'referrals')
  expect(problems).toEqual([])
})

test('settings: messages, sessions, data and the end of the account', async ({ page, browser }) => {
  // A refused call that wants a sign-in, and the refresh of who is gone.
  const problems = watchConsole(page, 'status of 403', 'grant_type=refresh_token')
  const bea = { name: 'Bea Hill', email: 'bea@club.test' }
  await signUp(page, dugout.url, bea)
  const other = await (await browser.newContext()).newPage()
  await signIn(other, dugout.url, bea.email)
  await expect(other).toHaveURL(`${dugout.url}/`)

  await page.goto(`${dugout.url}/settings`)
  await page.getByRole('switch', { name: 'Recruiting: By e-mail' }).click()
  await expect
    .poll(() => dugout.query('select topic, channel, enabled from public.notification_preferences'))
    .toContainEqual({ topic: 'recruiting', channel: 'email', enabled: false })
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await review(page, 'settings')
  await sessions.getByRole('button', { name: /^Sign out Chrome/ }).click()
  await expect(sessions.getByRole('listitem')).toHaveCount(1)

  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download my data' }).click()
  expect((await saved).suggestedFilename()).toBe('dugout-data.zip')

  await page.getByRole('button', { name: 'Delete my account' }).click()
  await page.getByLabel('Type DELETE to go on').fill('DELETE')
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
  expect(await dugout.query("select from auth.users where email = 'bea@club.test'")).toEqual([])
  await other.context().close()
  expect(problems).toEqual([])
})

test('the birth date is asked for once (issue 5, minors)', async ({ page }) => {
  await signUp(page, dugout.url, { name: 'Kit Moss', email: 'kit@club.test' })
  const card = page.getByRole('region', { name: 'Finish your profile' })
  await card.getByRole('button', { name: 'Save' }).click()
  await expect(card.getByText('Please enter a day that has been.')).toBeVisible()
  await review(page, 'home-new')
  await card.getByLabel('Birth date').fill('2000-05-04')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Yes, save' }).click()
  await expect(card).toHaveCount(0)
  const rows = await dugout.query(
    "select birth_date::text from public.birth_dates join auth.users u on u.id = user_id where u.email = 'kit@club.test'",
  )
  expect(rows).toEqual([{ birth_date: '2000-05-04' }])
})
