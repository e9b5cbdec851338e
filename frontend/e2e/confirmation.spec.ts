import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { PASSWORD, review, watchConsole } from './page.ts'

/** Issue 10, C5: awaiting confirmation is a state, and a referral counts on whichever device the address is confirmed. */

const CODE = 'SPRING-9'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ confirmations: true })
  await dugout.query('insert into public.referral_codes (code) values ($1)', [CODE])
})
test.afterAll(() => dugout.stop())

const counted = async () =>
  (
    await dugout.query<{ conversions: number }>('select conversions from public.referral_codes where code = $1', [CODE])
  )[0]

test('a sign-up waits for its confirmation, and counts once when another device confirms it', async ({
  page,
  browser,
}) => {
  const problems = watchConsole(page)
  await page.goto(`${dugout.url}/?ref=${CODE}`)
  await page.goto(`${dugout.url}/signin`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill('Ana Ruiz')
  await page.getByLabel('Email').fill('ana@club.test')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByText('We sent a link to ana@club.test')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await review(page, 'awaiting-confirmation')
  expect(await counted()).toEqual({ conversions: 0 })

  const other = await browser.newPage()
  await other.goto(await dugout.mailedLink('ana@club.test'))
  await expect(other.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  await expect.poll(counted).toEqual({ conversions: 1 })
  const rows = `select referral_code from public.referral_analytics where action = 'signup' and referral_code = '${CODE}'`
  expect(await dugout.query(rows)).toEqual([{ referral_code: CODE }])

  // The first device signs in, too: nothing is counted again.
  await page.getByRole('button', { name: 'Sign in or use another address' }).click()
  await page.getByLabel('Email').fill('ana@club.test')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  expect(await counted()).toEqual({ conversions: 1 })
  expect(await dugout.query(rows)).toHaveLength(1)
  await other.close()
  expect(problems).toEqual([])
})
