import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { PASSWORD, signIn, signUp, toast, watchConsole } from './page.ts'

/** Sections 2, 4, 5, 7 and 8 of the specification, where only a browser can tell. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start()
  await dugout.query("insert into public.referral_codes (code) values ('COACH-7'), ('SCOUT-8')")
})
test.afterAll(() => dugout.stop())

const titles = (page: Page) => page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')

async function fillSignUp(page: Page, fields: Record<string, string>) {
  for (const [label, text] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(text)
}

test('sign-up: the order of its checks, what it sends, and a double click is one account', async ({ page }) => {
  const problems = watchConsole(page)
  await page.goto(`${dugout.url}/signin`)
  await expect(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await expect(page.getByLabel('Role').locator('option')).toHaveText(['Player', 'Coach', 'Scout', 'Fan'])
  for (const [message, label, text] of [
    ['Full name is required', 'Full Name', 'Ana Ruiz'],
    ['Email is required', 'Email', ' ana@club.test '],
    ['Password must be at least 6 characters', 'Password', PASSWORD],
    ['Passwords do not match', 'Confirm Password', PASSWORD],
  ] as const) {
    await page.keyboard.press('Tab')
    await page.getByLabel('Full Name').press('Enter')
    await expect(toast(page, message)).toBeVisible()
    const field = page.getByLabel(label, { exact: true })
    await expect(field).toBeFocused()
    await expect(field).toHaveAttribute('aria-invalid', 'true')
    await field.fill(text)
  }
  const [sent, inserted] = await Promise.all([
    page.waitForRequest(/\/auth\/v1\/signup/),
    page.waitForRequest(/\/rest\/v1\/users\?on_conflict/),
    page.getByRole('button', { name: 'Create Account' }).dblclick(),
  ])
  await expect(toast(page, 'Account created successfully!')).toBeVisible()
  expect(new URL(sent.url()).searchParams.get('redirect_to')).toBe(dugout.url)
  expect(sent.postDataJSON()).toMatchObject({
    email: 'ana@club.test',
    password: PASSWORD,
    data: {
      ...{ full_name: 'Ana Ruiz', role: 'player', public_profile: true, accept_coach_stats: true },
      membership_tier: 'BASIC',
    },
  })
  expect(Object.keys((sent.postDataJSON() as { data: object }).data)).toHaveLength(5)
  expect(Object.keys(inserted.postDataJSON() as object).sort()).toEqual(
    ['email', 'full_name', 'id', 'public_profile', 'role', 'user_type'].sort(),
  )
  await expect(page).toHaveURL(`${dugout.url}/`)
  await expect(toast(page, 'Account already exists')).toHaveCount(0)
  expect(await dugout.query("select from auth.users where email = 'ana@club.test'")).toHaveLength(1)
  // The one redirect leaves no trap behind the back button.
  await page.goto(`${dugout.url}/signin`)
  await expect(page).toHaveURL(`${dugout.url}/`)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  expect(problems).toEqual([])
})

test('the coach form: its choices, its errors together, its way back, what it sends', async ({ page }) => {
  await page.goto(`${dugout.url}/signin`)
  await page.evaluate(() => localStorage.setItem('selectedMembershipTier', 'ELITE'))
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUp(page, { 'Full Name': 'Bo Diaz', Email: 'bo@club.test' })
  await page.getByLabel('Role').selectOption('coach')
  await page.getByRole('button', { name: 'Create Account' }).click()
  const count = (to: number) => Array.from({ length: to + 1 }, (_, number) => String(number))
  for (const [label, options] of [
    ['Years Coaching', ['Choose…', ...count(49)]],
    ['Years with Current League', count(49)],
    ['Months with Current League', count(11)],
    ['Years with Current Team', count(49)],
    ['Months with Current Team', count(11)],
  ] as const) {
    await expect(page.getByLabel(label).locator('option')).toHaveText([...options])
    if (options[0] === '0') await expect(page.getByLabel(label)).toHaveValue('0')
  }
  await page.getByRole('button', { name: 'Register as Coach' }).click()
  await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
    'Password must be at least 6 characters.',
    'League is required.',
    'Years coaching is required.',
    'Team name is required.',
  ])
  await page.getByRole('link', { name: 'Back to regular signup' }).click()
  await expect(page.getByRole('tab', { name: 'Sign Up', selected: true })).toBeVisible()
  await expect(page.getByLabel('Full Name')).toHaveValue('Bo Diaz')
  await page.getByLabel('Role').selectOption('coach')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await fillSignUp(page, { Password: PASSWORD, 'Confirm Password': PASSWORD, League: 'Cape Cod', 'Team Name': 'Gulls' })
  await page.getByLabel('Years Coaching').selectOption('12')
  const [sent] = await Promise.all([
    page.waitForRequest(/\/auth\/v1\/signup/),
    page.getByRole('button', { name: 'Register as Coach' }).dblclick(),
  ])
  await expect(toast(page, 'Coach Account Created!')).toBeVisible()
  expect((sent.postDataJSON() as { data: object }).data).toEqual({
    ...{ full_name: 'Bo Diaz', role: 'coach', public_profile: true, accept_coach_stats: false },
    ...{ membership_tier: 'ELITE', league: 'Cape Cod', years_coaching: 12, team_name: 'Gulls', display_badges: true },
    ...{ months_current_league: 0, years_current_league: 0, months_current_team: 0, years_current_team: 0 },
  })
  await expect(page).toHaveURL(`${dugout.url}/`)
  expect(await page.evaluate(() => localStorage.getItem('selectedMembershipTier'))).toBeNull()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/coach')
})

test('toasts: five, newest on top, F8, and a swipe of 50 pixels (section 2 and 9)', async ({ page }) => {
  await page.clock.install()
  await page.goto(`${dugout.url}/signin`)
  await expect(page.getByRole('region', { name: 'Notifications' })).toBeAttached()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.getByRole('button', { name: 'Forgot Password' }).click()
  await expect(toast(page, 'Please enter your email first')).toBeVisible()
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Sign in failed')).toContainText(
    'You must provide either an email or phone number and a password',
  )
  const top = async (text: string) => (await toast(page, text).boundingBox())?.y ?? 0
  expect(await top('Sign in failed')).toBeLessThan(await top('Please enter your email first'))
  for (let more = 0; more < 5; more++) await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Please enter your email first')).toHaveCount(0)
  await expect(titles(page)).toHaveCount(5)

  await page.keyboard.press('F8')
  await expect(page.getByRole('region', { name: 'Notifications' }).getByRole('list')).toBeFocused()
  const oldest = titles(page).last()
  for (const [pixels, left] of [
    [40, 5],
    [60, 4],
  ] as const) {
    // The page's clock stands still, but its animations run.
    await oldest.evaluate((toast) => Promise.allSettled(toast.getAnimations().map(({ finished }) => finished)))
    const box = await oldest.boundingBox()
    if (!box) throw new Error('There is no toast.')
    await page.mouse.move(box.x + 100, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 110, box.y + 20)
    await page.mouse.move(box.x + 100 + pixels, box.y + 20)
    await page.mouse.up()
    if (left === 5) await expect(oldest).toHaveAttribute('data-swipe', 'cancel')
    await expect(titles(page)).toHaveCount(left)
  }
})

test('a ref on any page is kept at once; a failed look-up makes the address unknown (section 4)', async ({ page }) => {
  await page.route('**/ip', (route) => route.abort())
  await page.goto(`${dugout.url}/signin?ref=COACH-7`)
  expect(await page.evaluate(() => localStorage.getItem('referralCode'))).toBe('COACH-7')
  // A click is recorded once the page stands.
  await expect.poll(() => dugout.query('select referral_code from public.referral_analytics')).toHaveLength(1)
  await page.goto(`${dugout.url}/no/such/page?ref=SCOUT-8`)
  expect(await page.evaluate(() => localStorage.getItem('referralCode'))).toBe('SCOUT-8')
  await expect
    .poll(() => dugout.query('select referral_code, ip_address from public.referral_analytics order by timestamp'))
    .toEqual([
      { referral_code: 'COACH-7', ip_address: 'unknown' },
      { referral_code: 'SCOUT-8', ip_address: 'unknown' },
    ])
  // Nothing of it stands in the way of a visitor.
  await page.route('**/rest/v1/referral_analytics*', (route) => route.fulfill({ status: 500, json: {} }))
  await signUp(page, dugout.url, { name: 'Cy Moss', email: 'cy@club.test', role: 'fan' })
})

test('logging out proceeds whatever the server answers (section 4)', async ({ page }) => {
  await signUp(page, dugout.url, { name: 'Dee Hart', email: 'dee@club.test' })
  for (const answer of [
    () => page.route('**/auth/v1/logout*', (route) => route.fulfill({ status: 500, json: { message: 'down' } })),
    () => page.route('**/auth/v1/logout*', (route) => route.abort()),
    () => page.route('**/auth/v1/logout*', () => undefined),
  ]) {
    await page.unrouteAll()
    await answer()
    await page.goto(`${dugout.url}/settings`)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    await page.getByRole('alertdialog', { name: 'Confirm Logout' }).getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
    await expect(page).toHaveURL(`${dugout.url}/`)
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    await page.reload()
    await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
    await signIn(page, dugout.url, 'dee@club.test')
    await expect(toast(page, 'Welcome back!')).toBeVisible()
  }
})

test('a look-up that fails makes a fan; a session that is over, a visitor (section 4)', async ({ page }) => {
  await signUp(page, dugout.url, { name: 'Eve Park', email: 'eve@club.test', role: 'scout' })
  await page.route('**/rest/v1/users?select=role*', (route) => route.fulfill({ status: 500, json: {} }))
  await page.reload()
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('link', { name: 'My Profile' })).toHaveAttribute('href', '/player')
  await expect(page.getByRole('heading', { level: 1, name: 'Eve', includeHidden: true })).toBeVisible()

  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token')) ?? ''
    const session = JSON.parse(localStorage.getItem(key) ?? '{}') as object
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1, refresh_token: 'gone' }))
  })
  await page.goto(`${dugout.url}/rankings`)
  await expect(page.getByText('Sign in to see this')).toBeVisible()
  await page.goto(dugout.url)
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
})

test('what cannot be drawn is said so, with two ways out (section 2)', async ({ page }) => {
  await page.goto(dugout.url)
  await page.evaluate(() => localStorage.setItem('selectedMembershipTier', 'PRO'))
  // Something the browser keeps makes the screen fail while it is drawn.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('broken') === null) return
    const read = (key: string, store: Storage) => store[key] as string | undefined
    Storage.prototype.getItem = function (key) {
      if (key === 'awaitingConfirmation') throw new Error('The screen cannot be drawn.')
      return read(key, this) ?? null
    }
  })
  await page.evaluate(() => sessionStorage.setItem('broken', 'yes'))
  await page.goto(`${dugout.url}/signin`)
  await expect(page.getByRole('heading', { name: 'Application Error' })).toBeVisible()
  await page.getByRole('button', { name: 'Reload Application' }).click()
  await expect(page.getByRole('heading', { name: 'Application Error' })).toBeVisible()
  expect(await page.evaluate(() => localStorage.length)).toBe(1)
  await page.getByRole('button', { name: 'Clear Data & Reload' }).click()
  await expect(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
  expect(await page.evaluate(() => localStorage.length)).toBe(0)
})
