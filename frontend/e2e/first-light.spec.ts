import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'

const CODE = 'COACH-7'
const PASSWORD = 'double-play-1'
const TABLES = ['users', 'page_views', 'user_sessions', 'token_ledger', 'referral_analytics', 'referral_codes'] as const

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start()
  await dugout.query('insert into public.referral_codes (code) values ($1)', [CODE])
})
test.afterAll(() => dugout.stop())

test('a visitor signs up, leaves and comes back', async ({ page, browser }) => {
  const problems = watchConsole(page)
  const ana = { name: 'Ana Maria Ruiz', email: 'ana@club.test' }

  await test.step('1. the landing page keeps the referral code and records the click', async () => {
    await page.goto(`${dugout.url}/?ref=${CODE}`)
    await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
    await expectAccessible(page)
    expect(await page.evaluate(() => localStorage.getItem('referralCode'))).toBe(CODE)
    await expect.poll(clicksAndConversions).toEqual({ clicks: 1, conversions: 0 })
    const clicks = await dugout.query("select * from public.referral_analytics where action = 'click'")
    expect(clicks).toMatchObject([{ referral_code: CODE, ip_address: '127.0.0.1', converted_user_id: null }])
    expect(clicks[0]?.user_agent).toBe(await page.evaluate(() => navigator.userAgent))
  })

  await test.step('2. signing up leads to / with a toast', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign In' }).click()
    await expect(page).toHaveURL(`${dugout.url}/signin`)
    await expect(page.getByRole('tab', { name: 'Sign In', selected: true })).toBeVisible()
    await expectAccessible(page)
    await signUp(page, ana)
    await expectAccessible(page)
  })

  const anaId = await idOf(ana.email)

  await test.step('3. the database holds one account with one welcome bonus', async () => {
    const [account] = await dugout.query('select * from auth.users where id = $1', [anaId])
    expect(account?.encrypted_password).toMatch(/^\$2[aby]\$10\$/)
    expect(account?.raw_user_meta_data).toMatchObject({
      full_name: ana.name,
      role: 'player',
      public_profile: true,
      accept_coach_stats: true,
      membership_tier: 'BASIC',
    })
    await expect.poll(clicksAndConversions).toEqual({ clicks: 1, conversions: 1 })
    const signups = await dugout.query("select * from public.referral_analytics where action = 'signup'")
    expect(signups).toMatchObject([
      { referral_code: CODE, converted_user_id: anaId, ip_address: null, user_agent: null },
    ])
    expect(await page.evaluate(() => localStorage.getItem('referralCode'))).toBeNull()
    await expect
      .poll(() => dugout.query('select user_id, page_path from public.page_views'))
      .toEqual([{ user_id: anaId, page_path: '/' }])
    await expect
      .poll(() => dugout.query('select user_id, device_type, session_duration from public.user_sessions'))
      .toEqual([{ user_id: anaId, device_type: 'Desktop', session_duration: 0 }])

    // The page's insert, sent again and again with other values, changes nothing.
    const again = {
      id: anaId,
      email: ana.email,
      full_name: 'Somebody',
      role: 'scout',
      user_type: 'scout',
      public_profile: false,
    }
    for (let attempt = 0; attempt < 3; attempt++) {
      const answer = await rest(page, 'users?on_conflict=id', {
        method: 'POST',
        body: JSON.stringify(again),
        headers: { Prefer: 'resolution=ignore-duplicates' },
      })
      expect(answer.status, answer.text).toBe(201)
    }
    expect(await ownRow(anaId)).toMatchObject({
      email: ana.email,
      full_name: ana.name,
      role: 'player',
      user_type: 'player',
      is_admin: false,
      public_profile: true,
      referral_tokens: 150,
      bonus_tokens_awarded: true,
    })
    expect(await dugout.query('select user_id, amount from public.token_ledger')).toEqual([
      { user_id: anaId, amount: 150 },
    ])
  })

  await test.step('4. a killed server comes back with the user still signed in, until logout', async () => {
    const before = { row: await ownRow(anaId), session: await storedSession(page) }
    await dugout.killAndRestart()
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
    await expect.poll(async () => (await storedSession(page)).refresh_token).not.toBe(before.session.refresh_token)
    expect(await ownRow(anaId)).toEqual(before.row)

    const { access_token } = await storedSession(page)
    expect((await getUser(access_token)).status).toBe(200)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Confirm Logout' })
    await expect(dialog).toContainText('Are you sure you want to log out?')
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Logout' }).click()
    await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
    await expect(page).toHaveURL(`${dugout.url}/`)
    expect(await page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0)
    expect((await getUser(access_token)).status).toBe(403)
  })

  await test.step('5. nobody else sees her rows', async () => {
    const other = await (await browser.newContext()).newPage()
    await other.goto(`${dugout.url}/signin`)
    await signUp(other, { name: 'Bo Diaz', email: 'bo@club.test' })
    await expect(other.getByText('ana', { exact: false })).toHaveCount(0)
    const boId = await idOf('bo@club.test')
    for (const table of TABLES) {
      const seen = await rest(other, `${table}?select=*`)
      expect(seen.status, `${table}: ${seen.text}`).toBe(200)
      expect(seen.text, table).not.toContain(anaId)
      expect(seen.text, table).not.toContain(CODE)
    }
    // The question itself is a good one: his own row does come.
    expect(JSON.parse((await rest(other, 'users?select=id')).text)).toEqual([{ id: boId }])
    for (const table of TABLES) {
      const seen = await rest(page, `${table}?select=*`)
      expect(seen.status, `${table}: ${seen.text}`).toBe(401)
    }
    await other.context().close()
  })

  expect(problems).toEqual([])
})

test('a duplicate, a wrong password and an unknown path', async ({ page }) => {
  const ana = { name: 'Cy Young', email: 'cy@club.test' }
  await page.goto(`${dugout.url}/signin`)
  await signUp(page, ana)
  await page.goto(`${dugout.url}/signin`)
  await expect(page).toHaveURL(`${dugout.url}/`)
  await page.goto(`${dugout.url}/no/such/page`)
  await expect(page.getByRole('heading', { name: 'Cy' })).toBeVisible()
  await page.evaluate(() => localStorage.clear())
  await page.goto(`${dugout.url}/no/such/page`)
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()

  await page.goto(`${dugout.url}/signin`)
  await page.getByLabel('Email').fill(ana.email)
  await page.getByLabel('Password').fill('not-the-password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Invalid email or password.')).toBeVisible()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUp(page, ana)
  await expect(toast(page, 'Account already exists')).toContainText(
    'An account with this email already exists. Please sign in instead.',
  )
  await page.getByRole('tab', { name: 'Sign In' }).click()
  await page.getByLabel('Email').fill(` ${ana.email} `)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  await expect(page).toHaveURL(`${dugout.url}/`)
})

test.describe('on a phone 360 pixels wide', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('nothing is cut off, and the menus work', async ({ page }) => {
    await page.goto(dugout.url)
    await expectToFit(page)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await expectAccessible(page)
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Features' }).click()
    await expect(page.getByRole('heading', { name: 'Everything a season needs' })).toBeInViewport()
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Sign In' }).click()
    await page.getByRole('tab', { name: 'Sign Up' }).click()
    await page.getByLabel('Role').selectOption('coach')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByRole('heading', { name: 'Coach Registration' })).toBeVisible()
    await expectToFit(page)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Back to regular signup' }).click()
    await signUp(page, { name: 'Satchel Paige', email: 'satchel@club.test' })
    await expectToFit(page)
    await page.getByRole('button', { name: 'Open menu' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menu' })
    await expect(drawer).toHaveCSS('width', '320px')
    await drawer.getByRole('link', { name: 'Swing Analysis' }).click()
    await expect(page.getByRole('heading', { name: 'Swing Analysis' })).toBeVisible()
    await expectToFit(page)
  })
})

async function expectToFit(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
}

type Person = { name: string; email: string }

async function signUp(page: Page, person: Person) {
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await fillSignUp(page, person)
  await expect(toast(page, 'Account created successfully!')).toBeVisible()
  await expect(page).toHaveURL(`${dugout.url}/`)
  await expect(page.getByRole('heading', { level: 1, name: person.name.split(' ')[0] })).toBeVisible()
}

async function fillSignUp(page: Page, { name, email }: Person) {
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await expect(page.getByLabel('Role')).toHaveValue('player')
  await page.getByRole('button', { name: 'Create Account' }).click()
}

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })

async function expectAccessible(page: Page) {
  // Half faded in, everything has too little contrast.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map((animation) => animation.finished))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
}

/** Everything the page complains about. */
function watchConsole(page: Page): string[] {
  const problems: string[] = []
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('console', (message) => {
    // While the server is down the browser reports the requests of auth-js's refresh; that is no fault of the page.
    if (message.type() === 'error' && !message.text().includes('net::ERR_')) problems.push(message.text())
  })
  return problems
}

async function idOf(email: string): Promise<string> {
  const [row] = await dugout.query<{ id: string }>('select id from auth.users where email = $1', [email])
  expect(row, email).toBeDefined()
  return row?.id ?? ''
}

async function ownRow(id: string) {
  const rows = await dugout.query('select * from public.users where id = $1', [id])
  expect(rows).toHaveLength(1)
  return rows[0]
}

async function clicksAndConversions() {
  return (await dugout.query('select clicks, conversions from public.referral_codes where code = $1', [CODE]))[0]
}

/** The session as auth-js keeps it in the page. */
async function storedSession(page: Page): Promise<{ access_token: string; refresh_token: string }> {
  const text = await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.endsWith('-auth-token'))
    return key ? localStorage.getItem(key) : null
  })
  return text
    ? (JSON.parse(text) as { access_token: string; refresh_token: string })
    : { access_token: '', refresh_token: '' }
}

/** A request by hand: with the page's token if it has one, as anybody otherwise. */
async function rest(
  page: Page,
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
) {
  const { ANON_KEY } = await dugout.status()
  const token = (await storedSession(page)).access_token || ANON_KEY
  const headers = {
    apikey: ANON_KEY,
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    ...init.headers,
  }
  const answer = await fetch(`${dugout.url}/rest/v1/${path}`, { ...init, headers })
  return { status: answer.status, text: await answer.text() }
}

async function getUser(token: string) {
  const { ANON_KEY } = await dugout.status()
  return fetch(`${dugout.url}/auth/v1/user`, { headers: { apikey: ANON_KEY, Authorization: `Bearer ${token}` } })
}
