import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, watchConsole } from './page.ts'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
  // Three games in the scorebook.
  await dugout.query(readFileSync(`${import.meta.dirname}/../../supabase/seeds/demo_season.sql`, 'utf8'))
})
test.afterAll(() => dugout.stop())

test('a player finds the own place among verified numbers, and takes the list along', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/leaderboard`)
  const table = page.getByRole('table', { name: 'Players by Exit velocity, maximum' })
  await expect(table.getByRole('row')).toHaveCount(51)
  await expect(table.getByRole('row', { name: /You/ })).toContainText('Hollis')
  await expect(page.getByRole('figure')).toContainText(/you 86\.3/)
  await review(page, 'leaderboard')

  await page.getByRole('button', { name: 'Show more' }).click()
  await expect.poll(() => table.getByRole('row').count()).toBeGreaterThan(51)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const file = await saved
  expect(file.suggestedFilename()).toBe('leaderboard-exit_velocity_max.csv')
  const lines = readFileSync(await file.path(), 'utf8').split('\r\n')
  expect(lines[0]).toContain('Rank,Player,Positions')
  // The header, the rows, and nothing behind the last line.
  expect(lines).toHaveLength((await table.getByRole('row').count()) + 1)

  // Until another statistic's numbers arrive, the numbers shown keep their own name.
  let answer = () => {}
  const held = new Promise<void>((go) => (answer = go))
  await page.route('**/rpc/leaderboard', async (route) => {
    await held
    await route.continue()
  })
  const statistic = page.getByRole('combobox', { name: 'Statistic' })
  await statistic.selectOption({ label: 'Exit velocity, average' })
  await expect(page).toHaveURL(/exit_velocity_avg/)
  await expect(table).toBeVisible()
  await expect(page.getByRole('table', { name: 'Players by Exit velocity, average' })).toHaveCount(0)
  answer()
  await expect(page.getByRole('table', { name: 'Players by Exit velocity, average' })).toBeVisible()
  await page.unroute('**/rpc/leaderboard')
  await statistic.selectOption({ label: 'Exit velocity, maximum' })
  await expect(table).toBeVisible()

  await page.getByRole('combobox', { name: 'Class' }).selectOption('2027')
  await page.getByRole('combobox', { name: 'State' }).selectOption('NE')
  await expect(page).toHaveURL(/class=2027&state=NE/)
  await expect(page.getByText('Class of 2027 · Nebraska')).toBeVisible()
  expect(problems).toEqual([])
})

test('season statistics: the scorebook, self-reported ones on request, a minimum, and what others lack', async ({
  page,
}) => {
  const problems = watchConsole(page)
  const season = new Date().getFullYear()
  await enter(page, dugout.url, 'scout')
  await page.goto(`${dugout.url}/leaderboard`)
  await page.getByRole('tab', { name: 'Batting' }).click()
  const table = page.getByRole('table', { name: 'Players by OPS' })
  // The season's three games are in the scorebook; they are too few for a rank.
  await expect(table.getByRole('row').nth(1)).toContainText('From the scorebook')
  await expect(table.getByText(/^needs \d+ PA$/).first()).toBeVisible()
  await review(page, 'leaderboard-scorebook')
  await page.getByRole('combobox', { name: 'Season' }).selectOption(String(season - 1))
  await expect(page.getByText('Only this season has age groups')).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Age group' })).toHaveCount(0)
  await expect(page.getByText('No verified number yet')).toBeVisible()
  await review(page, 'leaderboard-unverified')
  await page.getByRole('button', { name: 'Show all numbers' }).click()
  await expect(page).toHaveURL(/stat=ops&season=\d{4}&evidence=all/)
  await page.getByRole('combobox', { name: 'Season' }).selectOption(String(season))
  await expect(table.getByRole('row').nth(1)).toContainText('Self-reported')
  const slider = page.getByRole('slider', { name: 'Least plate appearances' })
  await slider.focus()
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/min=70/)
  await expect(page.getByText('At least 70 PA')).toBeVisible()
  await page.getByRole('button', { name: 'Show more' }).click()
  await expect(table.getByText(/^needs \d+ PA$/).first()).toBeVisible()
  await page.reload()
  await expect(page.getByText('At least 70 PA')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Verified and scorebook only' })).not.toBeChecked()
  expect(problems).toEqual([])
})

test('a player under 14 on January 1 is ranked only in 14U, and is led there', async ({ page }) => {
  const problems = watchConsole(page)
  await dugout.query(`
    update public.birth_dates set birth_date = make_date(extract(year from now())::integer - 14, 1, 2)
    where user_id = (select id from public.users where email = 'player@dugout.test');
    update public.users set public_profile = true where email = 'player@dugout.test'`)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/leaderboard`)
  const table = page.getByRole('table', { name: 'Players by Exit velocity, maximum' })
  await expect(table.getByRole('row')).toHaveCount(51)
  await expect(table.getByRole('row', { name: /You/ })).toHaveCount(0)
  await expect(page.getByText('Players under 14 on January 1 are ranked only in 14U.')).toBeVisible()
  await page.getByRole('button', { name: 'Show 14U' }).click()
  await expect(page).toHaveURL(/age=14u/)
  await expect(table.getByRole('row', { name: /You/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show 14U' })).toHaveCount(0)
  expect(problems).toEqual([])
})
