import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review } from './page.ts'
import { choose, newScoredGame, play } from './scoring.ts'

/** Issue 16: what lost connections, second tabs and full browsers do to the scorebook. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())
test.use({ viewport: { width: 390, height: 844 } })

const outs = (page: Page, count: number) =>
  page.getByRole('img', { name: count === 1 ? '1 out' : `${count} outs`, exact: true })

async function open(page: Page) {
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  return game
}

test('a second tab waits, and what either kept survives its end, leaving and a reload', async ({ page, context }) => {
  const game = await open(page)
  const second = await context.newPage()
  await second.goto(game.scorebook)
  await expect(second.getByText('This game is open in another tab.', { exact: false })).toBeVisible()
  await expect(second.getByRole('button', { name: '1B', exact: true })).toHaveCount(0)
  await review(second, 'score-other-tab')

  await context.setOffline(true)
  await choose(page, 'K swinging')
  await expect(page.getByText('Offline, 1 kept')).toBeVisible()
  await page.close()
  // The second tab goes on with what the first one kept.
  await expect(second.getByText('Offline, 1 kept')).toBeVisible()
  await choose(second, 'K looking')
  await expect(second.getByText('Offline, 2 kept')).toBeVisible()

  // On another page.
  await second.getByRole('link', { name: 'Guests at' }).click()
  await expect(second.getByText('2 scorebook entries not sent yet.', { exact: false })).toBeVisible()
  await second.getByRole('button', { name: 'Open menu' }).click()
  await second.getByRole('button', { name: 'Logout' }).click()
  const dialog = second.getByRole('alertdialog')
  await expect(dialog.getByRole('heading', { name: 'Unsaved Changes Detected' })).toBeVisible()
  await expect(dialog.getByText('2 scorebook entries not sent yet', { exact: false })).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await second.getByRole('link', { name: 'Open the scorebook' }).click()
  await expect(outs(second, 2)).toBeVisible()
  await choose(second, 'Walk')
  await expect(second.getByText('Offline, 3 kept')).toBeVisible()
  await context.route('**/functions/v1/score', (route) => route.abort())
  await context.setOffline(false)
  await second.reload()
  await expect(second.getByText('Offline, 3 kept')).toBeVisible()
  await expect(outs(second, 2)).toBeVisible()
  await context.unroute('**/functions/v1/score')
  await expect(second.getByText('Saved', { exact: true })).toBeVisible({ timeout: 30_000 })
  const [saved] = await dugout.query<{ plays: number }>(
    'select count(*)::int as plays from public.plays where game_id = $1',
    [game.id],
  )
  expect(saved?.plays).toBe(3)
  await second.getByRole('link', { name: 'Guests at' }).click()
  await expect(second.getByRole('heading', { level: 1, name: 'Guests at' })).toBeVisible()
  await expect(second.getByText('not sent yet', { exact: false })).toHaveCount(0)
})

test('nothing can be tapped before the plays so far are known, not even without a connection', async ({ page }) => {
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.route('**/functions/v1/score', (route) => route.abort())
  await page.goto(game.scorebook)
  await expect(page.getByText('This device does not have the plays of this game yet.', { exact: false })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: '1B', exact: true })).toHaveCount(0)
  await page.unroute('**/functions/v1/score')
  await expect(page.getByRole('button', { name: '1B', exact: true })).toBeVisible({ timeout: 30_000 })

  // The device keeps what it has seen, for the next time without a connection.
  await choose(page, 'K swinging')
  await expect(outs(page, 1)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await page.route('**/functions/v1/score', (route) => route.abort())
  await page.reload()
  await expect(outs(page, 1)).toBeVisible()
})

test('a double tap is one play', async ({ page }) => {
  await open(page)
  await page.getByRole('button', { name: 'K swinging' }).dblclick({ delay: 60 })
  await expect(outs(page, 1)).toBeVisible()
  await choose(page, 'K looking')
  await expect(outs(page, 2)).toBeVisible()
})

test('a browser that cannot store says so and records nothing', async ({ page }) => {
  await page.addInitScript(() => {
    type Put = (this: IDBObjectStore, ...values: unknown[]) => IDBRequest<IDBValidKey>
    const put = Reflect.get(IDBObjectStore.prototype, 'put') as Put
    IDBObjectStore.prototype.put = function (...values) {
      if (localStorage.getItem('full')) throw new DOMException('Full', 'QuotaExceededError')
      return put.call(this, ...values)
    }
  })
  await open(page)
  const full = (yes: boolean) =>
    page.evaluate((yes) => (yes ? localStorage.setItem('full', '1') : localStorage.removeItem('full')), yes)
  await full(true)
  await choose(page, 'K swinging')
  await expect(page.getByRole('alert')).toContainText('This browser could not store the last change')
  await expect(outs(page, 0)).toBeVisible()
  await play(page, 'Ground out', '6 SS', '3 1B')
  await expect(page.getByRole('button', { name: 'Save play' })).toBeEnabled()
  await full(false)
  await choose(page, 'Save play')
  await expect(outs(page, 1)).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)

  await full(true)
  await page.reload()
  await expect(page.getByRole('alert')).toContainText('This browser could not store the last change')
  await review(page, 'score-full')
  await full(false)
  await choose(page, 'Try again')
  await expect(outs(page, 1)).toBeVisible()
})

test('plain http, where browsers have neither tab locks nor random ids, is enough', async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })
  })
  await open(page)
  await choose(page, 'K swinging')
  await expect(outs(page, 1)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('an older reply does not replace a newer one', async ({ page }) => {
  await open(page)
  let release: (() => void) | undefined
  const held = new Promise<void>((done) => (release = done))
  await page.route('**/functions/v1/score', async (route) => {
    const reply = await route.fetch()
    if (route.request().postData()?.includes('"lineups"')) await held
    await route.fulfill({ response: reply })
  })
  await choose(page, 'Lineups')
  const late = page.waitForResponse((response) => response.request().postData()?.includes('"lineups"') === true)
  await choose(page, 'Save lineups')
  await choose(page, 'Plays')
  await choose(page, 'Back to scoring')
  await choose(page, 'K swinging')
  await expect(outs(page, 1)).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  release?.()
  await (await late).finished()
  await choose(page, 'K looking')
  await expect(outs(page, 2)).toBeVisible()
})

test('a game that its run rule ended can be made final', async ({ page }) => {
  const game = await newScoredGame(dugout, { run_rule: '1/1' })
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await play(page, 'HR')
  for (const kind of ['K swinging', 'K looking', 'K swinging', 'K looking', 'K swinging', 'K looking']) {
    await choose(page, kind)
  }
  await expect(page.getByText('The game is over.')).toBeVisible()
  await choose(page, 'Make it final')
  await expect(page.getByText('This game is final.')).toBeVisible()
})
