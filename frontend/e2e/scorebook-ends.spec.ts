import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review } from './page.ts'
import { pdfText } from './pdf.ts'
import { choose, newScoredGame, play } from './scoring.ts'

/** Issue 16: half-innings and games that stop before the third out, pitches as watchers see them, and the game on paper. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())
test.use({ viewport: { width: 390, height: 844 } })

const saved = (page: Page) => expect(page.getByText('Saved', { exact: true })).toBeVisible({ timeout: 30_000 })

async function strikeouts(page: Page, count: number) {
  for (let out = 0; out < count; out += 1) await choose(page, out % 2 === 0 ? 'K swinging' : 'K looking')
}

test('a half-inning ends early, and a suspended game goes on where it stopped', async ({ page }) => {
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await expect(page.getByRole('button', { name: 'End the half-inning' })).toBeDisabled()
  await play(page, 'HR')
  await choose(page, 'Walk')
  await choose(page, 'Ball')
  await choose(page, 'End the half-inning')
  await expect(page.getByText('Bottom 1', { exact: true })).toBeVisible()
  await expect(page.getByText('Count 0–0')).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByText('Top 1', { exact: true })).toBeVisible()
  await choose(page, 'End the half-inning')
  await strikeouts(page, 1)
  await saved(page)
  await choose(page, 'End the game')
  await review(page, 'score-end')
  await choose(page, 'Suspended, to be continued')
  await expect(page.getByText('It goes on where it stopped.', { exact: false })).toBeVisible()
  await expect(page.getByText('Suspended', { exact: true })).toBeVisible()
  await page.reload()
  await choose(page, 'Resume the game')
  await expect(page.getByText('Bottom 1', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: '1 out', exact: true })).toBeVisible()
  await strikeouts(page, 2)
  // The walked runner was on base; the third batter of the order is due.
  await expect(page.getByText('No. 3', { exact: false }).first()).toBeVisible()
  await choose(page, 'Plays')
  await expect(page.getByText('The half-inning ends.', { exact: false })).toBeVisible()
})

test('an extra inning begins with a runner on second, and a run rule ends a game offline', async ({
  page,
  context,
}) => {
  const game = await newScoredGame(dugout, { extra_runner: 2 })
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await saved(page)
  await strikeouts(page, 18)
  await expect(page.getByText('Top 4', { exact: true })).toBeVisible()
  await choose(page, 'Place the runner')
  await expect(page.getByRole('img', { name: 'Runners on second' })).toBeVisible()
  await play(page, '1B', '9 RF')
  await expect(page.getByText('scores', { exact: false }).first()).toBeVisible()
  await saved(page)

  const mercy = await newScoredGame(dugout, { run_rule: '1/1' })
  await page.goto(mercy.scorebook)
  await saved(page)
  await context.setOffline(true)
  await play(page, 'HR')
  await strikeouts(page, 6)
  await expect(page.getByText('The game is over.')).toBeVisible()
  await context.setOffline(false)
  await saved(page)
  await choose(page, 'Make it final')
  await expect(page.getByText('This game is final.')).toBeVisible()
})

test('a visitor sees each pitch, and the finished game is a clean PDF', async ({ page, browser }) => {
  const game = await newScoredGame(dugout, { opponent: 'Gulls' })
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await saved(page)
  const visitor = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  await visitor.goto(game.page)
  await play(page, '1B', '7 LF')
  // The first play waits until the visitor's page has joined the game's channel.
  await expect(visitor.getByText('Single to left.')).toBeVisible({ timeout: 30_000 })
  await choose(page, 'Ball')
  await choose(page, 'Called strike')
  await choose(page, 'Foul')
  const pitches = visitor.getByRole('list', { name: 'Pitches' }).getByRole('listitem')
  await expect(pitches).toHaveText(['1Ball1–0', '2Called strike1–1', '3Foul1–2'])
  await expect(visitor.getByRole('img', { name: 'Strikes: 2' })).toBeVisible()
  await review(visitor, 'game-live')
  await choose(page, 'Undo')
  await expect(pitches).toHaveCount(2)
  // Strangers see a guest's initial only, and the coach entered "No. 2", which has none.
  await expect(visitor.getByText('No. 2')).toHaveCount(0)
  await choose(page, 'K swinging')
  await choose(page, 'Save play')
  await expect(pitches).toHaveCount(0)
  await play(page, 'HR')
  await strikeouts(page, 2 + 15)
  await expect(page.getByText('The game is over.')).toBeVisible()
  await saved(page)
  await choose(page, 'Make it final')
  await expect(visitor.getByRole('button', { name: 'Print or save as PDF' })).toBeVisible()
  const pdf = await visitor.pdf({ format: 'Letter' })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  const text = pdfText(pdf)
  expect(text).toContain('Gulls at')
  expect(text).toContain('Final')
  expect(text.match(/A dot marks a run/g)).toHaveLength(1)
  expect(text).toContain('HR •')
  expect(text).toContain('1B •')
  expect(text).not.toContain('Print or save as PDF')
  expect(text).not.toContain('Sign in')
})
