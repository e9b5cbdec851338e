import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, watchConsole } from './page.ts'

let dugout: Dugout

// A server for development, which runs all of supabase/seeds/.
test.beforeAll(async () => {
  dugout = await Dugout.start({ confirmations: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())

test('the statistics of the seeded games follow from their plays', async () => {
  const [{ finals, plays } = { finals: 0, plays: 0 }] = await dugout.query<{ finals: number; plays: number }>(
    `select count(distinct g.id) filter (where g.status = 'final')::integer as finals, count(*)::integer as plays
     from public.games as g join public.plays as p on p.game_id = g.id`,
  )
  expect(finals).toBe(3)
  expect(plays).toBeGreaterThan(150)
  expect(await dugout.run('stats', 'verify')).toContain('3 games')
  // The check reports a changed number.
  await dugout.query(`update public.player_game_batting set h = h + 1 where ab > h and game_id in (
    select id from public.games where status = 'final' order by id limit 1)`)
  await expect(dugout.run('stats', 'verify')).rejects.toThrow()
})

test('a seeded server has games, posts, articles and a ranking to look at', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await expect(page.getByRole('heading', { level: 1, name: /^Game on \w+, / })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Games' }).getByRole('listitem').first()).toBeVisible()
  await page.goto(`${dugout.url}/timeline`)
  await expect(page.getByText('Two months of tee work')).toBeVisible()
  await page.goto(`${dugout.url}/news-reel`)
  await expect(page.getByRole('heading', { name: /^Herons / })).toBeVisible()
  await page.goto(`${dugout.url}/rankings?kind=teams`)
  await expect(page.getByText('Cedar Falls Herons').first()).toBeVisible()
  expect(problems).toEqual([])
})
