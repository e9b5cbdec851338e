import { randomUUID } from 'node:crypto'
import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, expectToFit, review } from './page.ts'
import { choose, newScoredGame, nineEach, play } from './scoring.ts'

/** Issue 16: pitches, locations, dragged runners, edits of the past, and what a finished game tells. */

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())
test.use({ viewport: { width: 390, height: 844 } })

test('a coach taps pitches and the field, drags a runner, and edits a play of the past', async ({ page }) => {
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)

  // Four balls are a walk. A pitch by mistake is undone, and a reload keeps the count.
  await choose(page, 'Ball')
  await choose(page, 'Foul')
  await expect(page.getByText('Count 1–1')).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByText('Count 1–0')).toBeVisible()
  await choose(page, 'Ball')
  await expect(page.getByText('Count 2–0')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Count 2–0')).toBeVisible()
  await choose(page, 'Ball')
  await expect(page.getByText('Count 3–0')).toBeVisible()
  await choose(page, 'Ball')
  await expect(page.getByRole('img', { name: 'Runners on first' })).toBeVisible()
  await expect(page.getByText('4 pitches entered')).toBeVisible()

  // A single to right center; the runner is dragged home.
  await choose(page, '1B')
  const field = page.getByTestId('field')
  const box = await field.boundingBox()
  if (!box) throw new Error('no field')
  await field.click({ position: { x: box.width * 0.58, y: box.height * 0.3 } })
  await expect(page.getByLabel('Zone')).not.toHaveValue('')
  const runner = page.getByTestId('runner-1').locator('circle').last()
  await runner.scrollIntoViewIfNeeded()
  const from = await runner.boundingBox()
  if (!from) throw new Error('no runner')
  // From second base straight down to home.
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2 + 100, { steps: 5 })
  await page.mouse.up()
  const ends = page.getByRole('group', { name: /on 1st/ })
  await expect(ends.getByRole('button', { name: 'Home' })).toHaveAttribute('aria-pressed', 'true')
  await review(page, 'score-single')
  await page.setViewportSize({ width: 390, height: 844 })
  await choose(page, 'Save play')
  await expect(page.getByText('scores.', { exact: false })).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const [single] = await dugout.query<{ record: string }>(
    'select record from public.plays where game_id = $1 order by ord desc limit 1',
    [game.id],
  )
  expect(single?.record).toMatch(/,S[89]\/L[789]+[SD]?\.1-H$/)

  // The walk becomes a home run: the single no longer scores anybody, which the preview says where it shows.
  await choose(page, 'Plays')
  await page.getByRole('button', { name: 'Edit Walk' }).click()
  await play(page, 'HR')
  await expect(page.getByRole('alert')).toContainText('To resolve it:')
  await expect(page.getByRole('button', { name: 'Save anyway' })).toBeVisible()
  await review(page, 'score-edit')
  await page.setViewportSize({ width: 390, height: 844 })
  await choose(page, 'Back')
  // A hit batter instead changes nothing after it.
  await choose(page, 'Hit by pitch')
  await choose(page, 'Save play')
  await expect(page.getByText('Nothing else changes.')).toBeVisible()
  await choose(page, 'Save change')
  await expect(page.getByRole('button', { name: 'Edit Hit by pitch' })).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const records = await dugout.query<{ record: string }>(
    'select record from public.plays where game_id = $1 and ord is not null order by ord',
    [game.id],
  )
  expect(records.map(({ record }) => record.split(',').slice(4).join(','))).toEqual([
    '30,BBBH,HP',
    expect.stringMatching(/^\?\?,,S/),
  ])
})

test('a pitcher who leaves during a plate appearance keeps the pitches and the walk', async ({ page }) => {
  const reliever = { athlete: randomUUID(), side: 1, order: null, position: null, name: 'Reliever' }
  const game = await newScoredGame(dugout, { entries: [...nineEach(), reliever] })
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  for (const pitch of ['Ball', 'Ball', 'Foul']) await choose(page, pitch)
  await expect(page.getByText('Count 2–1')).toBeVisible()
  const relieve = async () => {
    await choose(page, 'Sub')
    await page.getByLabel('Place of').selectOption({ index: 9 })
    await page.getByLabel('Comes in').selectOption({ label: 'Reliever' })
    await page.getByLabel('Position').selectOption('P')
    await choose(page, 'Save')
    await expect(page.getByText('in: pitcher.', { exact: false })).toBeVisible()
  }
  await relieve()
  await page.reload()
  await expect(page.getByText('Count 2–1')).toBeVisible()

  // Undone one by one: the substitution, what is written with it, and the foul.
  await choose(page, 'Undo')
  await expect(page.getByText('Interrupted at 2–1')).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByText('The first play of the game.')).toBeVisible()
  await expect(page.getByText('Count 2–1')).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByText('Count 2–0')).toBeVisible()
  await choose(page, 'Foul')
  await relieve()

  await choose(page, 'Ball')
  await choose(page, 'Ball')
  await expect(page.getByRole('img', { name: 'Runners on first' })).toBeVisible()
  await expect(page.getByText('2 pitches entered')).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  // Rule 9.16(h): behind in the count, the pitcher who left is charged with the walk.
  const lines = await dugout.query<{ athlete_id: string; pitches: number; bb: number }>(
    'select athlete_id, pitches, bb from public.player_game_pitching where game_id = $1 order by pitches desc',
    [game.id],
  )
  const [, own] = game.lineups
  expect(lines).toEqual([
    { athlete_id: own[8], pitches: 3, bb: 1 },
    { athlete_id: reliever.athlete, pitches: 2, bb: 0 },
  ])

  // A half-inning that ends during a plate appearance takes its pitches along, and gives them back.
  await choose(page, 'Ball')
  await expect(page.getByText('3 pitches entered')).toBeVisible()
  await choose(page, 'End the half-inning')
  await expect(page.getByText('Bottom 1', { exact: true })).toBeVisible()
  await expect(page.getByText('Count 0–0')).toBeVisible()
  await choose(page, 'Undo')
  await expect(page.getByText('Top 1', { exact: true })).toBeVisible()
  await expect(page.getByText('Count 1–0')).toBeVisible()
  await expect(page.getByText('3 pitches entered')).toBeVisible()
})

test('odd plays are three taps away, and so is a batter out of turn', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await choose(page, 'Odd plays')
  await review(page, 'score-odd')
  await page.setViewportSize({ width: 360, height: 800 })
  await choose(page, 'Hit and wild throw')
  await page
    .getByRole('group', { name: /^Hit to/ })
    .getByRole('button', { name: '7 LF' })
    .click()
  await page
    .getByRole('group', { name: /^Wild throw by/ })
    .getByRole('button', { name: '7 LF' })
    .click()
  await expect(page.getByText('Single to left, throwing error by left')).toBeVisible()
  await review(page, 'score-wild')
  await page.setViewportSize({ width: 360, height: 800 })
  await choose(page, 'Save play')
  await expect(page.getByRole('img', { name: 'Runners on second' })).toBeVisible()
  await choose(page, 'Odd plays')
  await choose(page, 'Another batter is up')
  await choose(page, '4. No. 4')
  await expect(page.getByText('No. 4 bats against', { exact: false })).toBeVisible()
  await play(page, 'Walk')
  await choose(page, 'Odd plays')
  await choose(page, 'Triple play')
  await choose(page, 'Save play')
  await expect(page.getByText('5-4-3 triple play', { exact: false })).toBeVisible()
  await expect(page.getByText('Bottom 1', { exact: true })).toBeVisible()
  await expect(page.getByText('Saved', { exact: true })).toBeVisible()
  const records = await dugout.query<{ record: string }>(
    'select record from public.plays where game_id = $1 and ord is not null order by ord',
    [game.id],
  )
  expect(records.map(({ record }) => record.split(',').at(-1))).toEqual(['S7.B-2(E7/TH)', '4', 'W', '5(2)4(1)3/GTP/G'])
})

test('a player is dragged to another place of the order', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 800 })
  const game = await newScoredGame(dugout)
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await choose(page, 'Lineups')
  const nameOf = (place: number) => page.getByLabel(`Guests, player ${place}: name`)
  await expect(nameOf(1)).toHaveValue('No. 1')
  await expectToFit(page)
  await page.getByTestId('drag-Guests-1').scrollIntoViewIfNeeded()
  const [from, to] = [await page.getByTestId('drag-Guests-1').boundingBox(), await nameOf(3).boundingBox()]
  if (!from || !to) throw new Error('no rows')
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(from.x, to.y + to.height, { steps: 5 })
  await page.mouse.up()
  await expect(nameOf(1)).toHaveValue('No. 2')
  await expect(nameOf(3)).toHaveValue('No. 1')
  await page.getByRole('button', { name: 'Guests, player 3: up' }).press('Enter')
  await expect(nameOf(2)).toHaveValue('No. 1')
})

test('a finished game has win probability, a recap, stars and files', async ({ page, browser }) => {
  const game = await newScoredGame(dugout, { opponent: 'Gulls', innings: 3, run_rule: '1/1' })
  await enter(page, dugout.url, 'coach')
  await page.goto(game.scorebook)
  await play(page, 'HR')
  for (const kind of ['K swinging', 'K looking', 'K swinging', 'K looking', 'K swinging', 'K looking']) {
    await choose(page, kind)
  }
  await choose(page, 'Make it final')
  await expect(page.getByText('This game is final.')).toBeVisible()

  const visitor = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage()
  const answer = await visitor.goto(game.page)
  expect(await answer?.text()).toMatch(/<meta property="og:title" content="Gulls at /)
  await expect(visitor.getByText(/Gulls beat .* 1–0/)).toBeVisible()
  await expect(visitor.getByRole('img', { name: /^Biggest play: Home run/ })).toBeVisible()
  await expect(visitor.getByRole('list', { name: 'Three stars' }).getByRole('listitem').first()).toContainText('WPA')
  const file = visitor.waitForEvent('download')
  await visitor.getByRole('button', { name: 'Event file' }).click()
  const stream = await (await file).createReadStream()
  let text = ''
  for await (const part of stream) text += String(part)
  expect(text).toMatch(/^id,HOM202704010\r\nversion,2\r\n/)
  expect(text).toContain('play,1,0,p001,??,,HR\r\n')
  await review(visitor, 'game-story')

  // A number opens its definition and the plays behind it.
  const hits = visitor.getByRole('button', { name: '1 Hits, The whole team' })
  await hits.focus()
  await visitor.keyboard.press('Enter')
  const dialog = visitor.getByRole('dialog', { name: 'Hits: 1' })
  await expect(dialog.getByRole('listitem')).toHaveText(/Home run/)
  await review(visitor, 'game-number')
  await visitor.keyboard.press('Escape')
  await expect(hits).toBeFocused()
})
