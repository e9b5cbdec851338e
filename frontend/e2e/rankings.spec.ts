import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, toast, watchConsole } from './page.ts'

/** Each team plays the others of its league four times, on different days; the one with the earlier name ahead in three of four. */
const GAMES = `
  insert into public.seasons (league_id, year) select id, extract(year from now()) from public.leagues on conflict do nothing;
  insert into public.games (season_id, home_team_id, visitor_team_id, home_name, visitor_name, played_on, is_public, status, home_runs, visitor_runs)
  select s.id, h.id, v.id, h.name, v.name, make_date(s.year, round, 1 + (h.name < v.name)::integer), true, 'final',
    case when (h.name < v.name) <> (length(h.name || v.name) % 4 = 0) then 6 else 2 end, 4
  from public.teams as h join public.teams as v on v.league_id = h.league_id and v.id <> h.id cross join generate_series(1, 2) as round
  join public.seasons as s on s.league_id = h.league_id and s.year = extract(year from now());`

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
  await dugout.query(GAMES)
})
test.afterAll(() => dugout.stop())

/** What an operator's job does: a run with the service key. */
async function rate(kind: 'players' | 'teams') {
  const { SERVICE_ROLE_KEY } = await dugout.status()
  const answer = await fetch(`${dugout.url}/functions/v1/rank`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${SERVICE_ROLE_KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(kind === 'teams' ? { kind, season: new Date().getFullYear() } : { kind }),
  })
  expect(answer.status, await answer.text()).toBe(200)
}

test('without a run there are no rankings; an admin starts one', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'admin')
  await page.goto(`${dugout.url}/rankings`)
  await expect(page.getByText('No ranking has been computed yet')).toBeVisible()
  await review(page, 'rankings-none')
  await page.getByRole('button', { name: 'Rate the players now' }).click()
  await expect(toast(page, 'players rated')).toBeVisible()
  await expect(page.getByRole('table', { name: 'Players by rating' })).toBeVisible()
  expect(problems).toEqual([])
})

test('a player finds the own place and why, moves the weights, and takes the list along', async ({ page }) => {
  await rate('players')
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/rankings`)
  const table = page.getByRole('table', { name: 'Players by rating' })
  const rows = table.getByRole('row', { name: /likely/ })
  await expect(rows).toHaveCount(50)
  await expect(page.getByRole('button', { name: 'Rate the players now' })).toHaveCount(0)
  const why = page.getByRole('region', { name: /^Why No\. \d+/ })
  await expect(why.filter({ visible: true })).toContainText('60-yard dash')
  await review(page, 'rankings-players')

  const first = rows.first().getByRole('button')
  const leader = await first.textContent()
  await first.press('Enter')
  await expect(first).toHaveAttribute('aria-expanded', 'true')
  await expect(page.getByRole('region', { name: /^Why No\. 1,/ }).filter({ visible: true })).toBeVisible()

  // All weight on the height, a step at a time: another list, and arrows against the usual one.
  await page.getByRole('button', { name: 'Weights' }).click()
  for (const part of ['60-yard dash', 'Exit velocity', 'Arm']) {
    await page.getByRole('slider', { name: `Position players: ${part}` }).press('Home')
  }
  await expect(page).toHaveURL(/hitters=0-0-0-25-5/)
  await page.getByRole('slider', { name: 'Position players: wOBA in games' }).press('Home')
  await expect(page).toHaveURL(/hitters=0-0-0-0-5/)
  await expect(table).toHaveAttribute('aria-busy', 'false')
  await expect(first).not.toHaveText(leader ?? '')
  await review(page, 'rankings-weights')
  await page.getByRole('button', { name: 'Use the usual weights' }).click()
  await expect(first).toHaveText(leader ?? '')

  await page.getByRole('combobox', { name: 'Position' }).selectOption('P')
  await expect(page).toHaveURL(/position=P/)
  await expect(table).toHaveAttribute('aria-busy', 'false')
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const lines = readFileSync(await (await saved).path(), 'utf8').split('\r\n')
  expect(lines[0]).toContain('Rank,Previous rank,Name')
  // The header, the rows, and nothing behind the last line.
  expect(lines.length - 2).toBe(await rows.count())
  expect(problems).toEqual([])
})

test('teams: the games of each opponent add up to the rating', async ({ page }) => {
  await rate('teams')
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/rankings`)
  await page.getByRole('tab', { name: 'Teams' }).click()
  const table = page.getByRole('table', { name: 'Teams by rating' })
  await expect(table.getByRole('row', { name: /likely/ })).toHaveCount(8)
  await expect(page.getByText('Not all of these teams are connected by games')).toBeVisible()
  await review(page, 'rankings-teams')
  const why = page.getByRole('region', { name: /^Why No\. 1,/ }).filter({ visible: true })
  await expect(why).toContainText('All games add up: 1500')
  await expect(why).toContainText('RPI')
  await page.getByRole('combobox', { name: 'League' }).selectOption({ index: 1 })
  await expect(table.getByRole('row', { name: /likely/ })).toHaveCount(4)
  await expect(page.getByText('Not all of these teams')).toHaveCount(0)
  expect(problems).toEqual([])
})
