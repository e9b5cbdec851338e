import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter } from './page.ts'
import { choose, newScoredGame } from './scoring.ts'

/** Issue 16: a session whose token has to be refreshed. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

test('a token that cannot be refreshed is a lost connection, no refusal', async ({ page }) => {
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.route('**/auth/v1/token*', (route) => route.abort())
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((key) => key.endsWith('-auth-token')) ?? ''
    const session = JSON.parse(localStorage.getItem(key) ?? '') as object
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: 1 }))
  })
  await choose(page, 'K swinging')
  // The client tries for half a minute.
  await expect(page.getByText('Offline, 1 kept')).toBeVisible({ timeout: 90_000 })
  await expect(page.getByRole('button', { name: /Discard/ })).toHaveCount(0)
  await page.unroute('**/auth/v1/token*')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 90_000 })
})
