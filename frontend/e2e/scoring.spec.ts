import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, entry, expectToFit, review, show, watchConsole } from './page.ts'
import { choose, play } from './scoring.ts'

/** Issue 16: a coach scores a game on a phone, with and without a connection, and others follow it. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())
test.use({ viewport: { width: 390, height: 844 } })

/** Adds a game on the team's page, which ends on the game's. */
async function addGame(page: Page, opponent: string) {
  await page.goto(`${dugout.url}/team-communication`)
  await page
    .getByRole('button', { name: /^Add a game of/ })
    .first()
    .click()
  await entry(page, 'Opponent').fill(opponent)
  await page.getByLabel('Date').fill('2027-04-01')
  await page.getByLabel('Innings', { exact: true }).selectOption('3')
  await page.getByLabel('Who can watch').selectOption('true')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `${opponent} at` })).toBeVisible()
  return page.url()
}

/** Nine guests on each side, by their numbers. */
async function enterLineups(page: Page, side: string, others: string) {
  await page.getByRole('link', { name: 'Score this game' }).click()
  await page.getByRole('region', { name: others }).getByRole('button', { name: 'Add nine by number' }).click()
  const own = page.getByRole('region', { name: side })
  const positions = own.getByRole('combobox')
  const starters = await positions.count()
  for (let index = 0; index < 9; index += 1) {
    if (index >= starters) {
      await own.getByRole('button', { name: 'Add player' }).click()
      await own.getByLabel(`${side}, player ${index + 1}: number`).fill(String(50 + index))
    }
    await own.getByLabel(`${side}, player ${index + 1}: position`).selectOption(String(index === 8 ? 1 : index + 2))
  }
  await page.getByRole('button', { name: 'Save lineups' }).click()
  await expect(page.getByRole('button', { name: '1B', exact: true })).toBeVisible()
}

async function threeStrikeouts(page: Page, half: string) {
  for (const out of [1, 2, 3]) {
    await expect(page.getByText(half, { exact: true })).toBeVisible()
    await choose(page, out === 2 ? 'K looking' : 'K swinging')
    if (out < 3) await expect(page.getByRole('img', { name: out === 1 ? '1 out' : '2 outs' })).toBeVisible()
  }
}

test('three innings on a phone, one of them offline, end in the engine’s box score', async ({ page, browser }) => {
  const problems = watchConsole(page, 'Failed to load resource', 'WebSocket')
  await enter(page, dugout.url, 'coach')
  const game = await addGame(page, 'Guests')
  const own = (await page.getByRole('heading', { level: 1 }).innerText()).replace('Guests at ', '')
  await review(page, 'game-scheduled')
  await enterLineups(page, own, 'Guests')
  await show(page, 'score-start')

  // A visitor watches.
  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(game)
  await expect(visitor.getByText('No play yet.', { exact: false })).toBeVisible()

  // Top 1: a single, a home run, then three outs.
  await play(page, '1B', '7 LF')
  await expect(page.getByText('Single to left.')).toBeVisible()
  await expect(page.getByRole('img', { name: 'Runners on first' })).toBeVisible()
  // The first play waits until the visitor's page has joined the game's channel.
  await expect(visitor.getByText('Single to left.')).toBeVisible({ timeout: 30_000 })
  await expect(visitor.getByText('Top 1').first()).toBeVisible()
  await choose(page, 'HR')
  await review(page, 'score-confirm')
  await page.setViewportSize({ width: 390, height: 844 })
  await choose(page, 'Save play')
  await expect(page.getByText('Home run.', { exact: false }).first()).toBeVisible()
  // An entry by mistake is undone.
  await choose(page, 'Walk')
  await expect(page.getByRole('img', { name: 'Runners on first' })).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByRole('img', { name: 'Bases empty' })).toBeVisible()
  await threeStrikeouts(page, 'Top 1')
  await expect(page.getByText('Side retired.', { exact: false })).toBeVisible()

  // Bottom 1 and Top 2 without a connection.
  await page.context().setOffline(true)
  await expect(page.getByText('Bottom 1', { exact: true })).toBeVisible()
  await choose(page, 'Walk')
  await expect(page.getByText('Offline, 1 kept')).toBeVisible()
  await play(page, 'Double play')
  await expect(page.getByRole('img', { name: '2 outs' })).toBeVisible()
  await play(page, 'Fly out', '8 CF')
  await threeStrikeouts(page, 'Top 2')
  await expect(page.getByText('Offline, 6 kept')).toBeVisible()
  await expectToFit(page)
  await show(page, 'score-offline')

  // The phone comes back while the function does not answer: the plays survive a reload.
  await page.route('**/functions/v1/score', (route) => route.abort())
  await page.context().setOffline(false)
  await page.reload()
  await expect(page.getByText('Offline, 6 kept')).toBeVisible()
  await page.unroute('**/functions/v1/score')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 20_000 })

  // Bottom 2: an error, a ground out that moves the runner, a single that brings him home, two outs.
  await expect(page.getByText('Bottom 2', { exact: true })).toBeVisible()
  await play(page, 'Error', '6 SS')
  await play(page, 'Ground out', '4 2B', '3 1B')
  await play(page, '1B', '9 RF')
  await expect(page.getByText(/scores/).first()).toBeVisible()
  await play(page, 'Force out')
  await play(page, 'Pop out', '5 3B')
  await threeStrikeouts(page, 'Top 3')
  await threeStrikeouts(page, 'Bottom 3')
  await expect(page.getByText('The game is over.')).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await choose(page, 'Make it final')
  await expect(page.getByText('This game is final.')).toBeVisible()
  await review(page, 'score-final')

  await expect(visitor.getByText('Final', { exact: true }).first()).toBeVisible()
  const line = visitor.getByRole('region', { name: 'Line score by inning' })
  await expect(line.getByRole('row', { name: 'Guests' })).toHaveText('Guests200221')
  await expect(line.getByRole('row', { name: own })).toHaveText(`${own}010110`)
  const batting = visitor.getByRole('region', { name: 'Batting' }).first()
  await expect(batting.getByRole('row', { name: 'Total' })).toHaveText('Total1122209')
  await review(visitor, 'game-final')

  // What the phone sent is what the engine makes of the event file.
  const [box] = await dugout.query<{ ab: number; h: number; er: number; gidp: number }>(
    `select (select sum(ab) from public.player_game_batting)::int as ab,
       (select sum(h) from public.player_game_batting)::int as h,
       (select sum(er) from public.player_game_pitching)::int as er,
       (select sum(gidp) from public.player_game_batting)::int as gidp`,
  )
  expect(box).toEqual({ ab: 21, h: 3, er: 2, gidp: 1 })
  expect(problems).toEqual([])
})

test('a second phone is told who scores, and takes over', async ({ page, browser }) => {
  await enter(page, dugout.url, 'coach')
  await addGame(page, 'Visitors')
  const own = (await page.getByRole('heading', { level: 1 }).innerText()).replace('Visitors at ', '')
  await enterLineups(page, own, 'Visitors')
  await choose(page, 'Walk')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const phone = await (await browser.newContext()).newPage()
  await enter(phone, dugout.url, 'coach')
  await phone.goto(page.url())
  await expect(phone.getByText('Another device scores this game.')).toBeVisible()
  await choose(phone, 'Take over here')
  await expect(phone.getByText('Walk.', { exact: false })).toBeVisible()
  await play(phone, '2B', '8 CF')
  await expect(phone.getByText('Saved', { exact: true })).toBeVisible()
  // The first phone's next play is refused and kept.
  await choose(page, 'K swinging')
  await choose(page, 'Save play')
  await expect(page.getByText('Not saved, 1 kept')).toBeVisible()
  // Taking over again shows what both phones have for the second batter.
  await choose(page, 'Take over here')
  const conflict = page.getByRole('dialog', { name: 'Two phones scored this game' })
  await expect(conflict.getByRole('cell').nth(0)).toContainText('Strikeout')
  await expect(conflict.getByRole('cell').nth(1)).toContainText('Double to center')
  await review(page, 'score-conflict')
  await page.setViewportSize({ width: 390, height: 844 })
  // Kept both, the strikeout does not fit, because another batter is due.
  await choose(page, 'Keep both, this phone’s last')
  await expect(page.getByText(/No\. 2 bats, but No\. 3 is due/)).toBeVisible()
  await expect(page.getByText('On this phone')).toBeVisible()
  await choose(page, 'Remove this play')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Runners on second and third' })).toBeVisible()

  // A pitcher comes in from the bench, and a play of the past is taken out.
  await choose(page, 'Sub')
  await page.getByLabel('Place of').selectOption({ index: 9 })
  const fresh = page.getByLabel('Comes in')
  await fresh.selectOption({ index: (await fresh.locator('option').count()) - 1 })
  await page.getByLabel('Position').selectOption('P')
  await review(page, 'score-sub')
  await choose(page, 'Save')
  await expect(page.getByText(/in: pitcher\./)).toBeVisible()
  await choose(page, 'Plays')
  await page.getByRole('button', { name: 'Remove Walk' }).click()
  await choose(page, 'Remove')
  await expect(page.getByText('To resolve it:', { exact: false })).toBeVisible()
  await choose(page, 'Discard the unsaved entry')
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
})

test('a game that nobody may watch says so', async ({ page }) => {
  for (const id of ['nonsense', '00000000-0000-4000-8000-000000000000']) {
    await page.goto(`${dugout.url}/games/${id}`)
    await expect(page.getByText('There is no such game', { exact: false })).toBeVisible()
  }
  await review(page, 'game-none')
})
