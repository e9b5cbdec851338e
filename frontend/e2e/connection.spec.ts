import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, show } from './page.ts'

/** Issue 10, C3 and C4: what a slow or lost connection does to a signed-in user. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

test('while the session is restored over a slow line, the shell stands and no visitor’s page is shown', async ({
  page,
}) => {
  await enter(page, dugout.url, 'player')
  await expect(page.locator('h1').first()).toBeVisible()
  let release: (() => void) | undefined
  const held = new Promise<void>((done) => (release = done))
  // The access token lasts a minute here, which auth-js takes for expired: every reload refreshes it.
  await page.route('**/auth/v1/token*', async (route) => {
    await held
    await route.continue()
  })
  for (const path of ['/', '/settings', '/rankings']) {
    await page.goto(dugout.url + path)
    await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
    await expect(page.getByText('Sign in to see this')).toHaveCount(0)
    await expect(page.getByRole('link', { name: 'Join Free Today' })).toHaveCount(0)
  }
  await page.goto(dugout.url)
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
  await show(page, 'restoring')
  release?.()
  await expect(page.getByRole('region', { name: 'Following' })).toBeVisible()
})

test('offline, a screen that is not loaded yet says so inside the shell, and opens when the connection returns', async ({
  page,
  context,
}) => {
  await enter(page, dugout.url, 'player')
  await expect(page.locator('h1').first()).toBeVisible()
  // The menu is loaded once the page is quiet; from then on it opens without a connection.
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /logout-dialog/.test(name)),
  )
  await context.setOffline(true)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'Rankings' }).click()
  await expect(page.getByRole('heading', { name: 'Connection lost' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeVisible()
  await expect(page.getByText('Application Error')).toHaveCount(0)
  await review(page, 'connection-lost')
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Rankings' })).toBeVisible()
})
