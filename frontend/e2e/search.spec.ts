import { readFileSync } from 'node:fs'
import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, watchConsole } from './page.ts'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
  // Games, so that a team's name finds them, too.
  await dugout.query(readFileSync(`${import.meta.dirname}/../../supabase/seeds/demo_season.sql`, 'utf8'))
})
test.afterAll(() => dugout.stop())

test('the search box opens by keyboard everywhere, finds misspelled names, and remembers', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'scout')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Control+k')
  const box = page.getByRole('combobox', { name: 'Search' })
  await expect(box).toBeFocused()
  await expect(page.getByRole('option', { name: 'Home' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Search' })).toBeFocused()

  await page.keyboard.press('/')
  await box.fill('matoe whitakr')
  await expect(page.getByRole('option').first()).toContainText('Mateo Whitaker')
  await expect(page.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await review(page, 'palette')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/player\/d0600000-/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Mateo Whitaker')

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('option').first()).toContainText('Mateo Whitaker')
  await box.fill('juniper')
  // The team, then its games.
  const options = page.getByRole('option', { name: 'Juniper Ridge Miners' })
  await expect(options.first()).not.toContainText(' at ')
  await expect(options.nth(1)).toContainText(' at ')
  await page.keyboard.press('ArrowUp')
  await expect(page.getByRole('option', { name: 'All results for' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  // A team leads to its players.
  await expect(page.getByRole('button', { name: 'Remove the filter Juniper Ridge Miners' })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: '15 players' })).toBeVisible()
  expect(problems).toEqual([])
})

test('a search is its address: text, facets, more rows, and what removes everything', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'fan')
  await page.goto(`${dugout.url}/search`)
  const players = page.getByRole('region', { name: 'Players' })
  const total = players.getByRole('status').filter({ hasText: /players?$|…$/ })
  await expect(players.getByRole('listitem')).toHaveCount(20)
  await players.getByRole('button', { name: 'Show more' }).click()
  await expect(players.getByRole('listitem')).toHaveCount(40)

  await page.getByRole('checkbox', { name: /^SS/ }).check()
  await page.getByRole('checkbox', { name: /^Verified numbers only/ }).check()
  await expect(page).toHaveURL(/position=SS&verified=1/)
  await expect(total).toHaveText(/^\d+ players$/)
  const shortstops = await total.textContent()
  await expect(players.getByRole('listitem').first()).toContainText('SS')
  await review(page, 'search')

  await page.getByRole('searchbox').fill('zzzz')
  await expect(players.getByText('No player shown here is called “zzzz” with these filters')).toBeVisible()
  await review(page, 'search-nobody')
  await page.getByRole('searchbox').fill('')
  await expect(total).toHaveText(shortstops ?? '')
  await page.getByRole('combobox', { name: 'Height, at least' }).selectOption('78')
  const hint = players.getByRole('button', { name: /^Without “6′ 6″ or taller”/ })
  await expect(hint).toContainText(shortstops ?? '')
  await hint.click()
  await expect(total).toHaveText(shortstops ?? '')

  await page.reload()
  await expect(page.getByRole('checkbox', { name: /^SS/ })).toBeChecked()
  await expect(total).toHaveText(shortstops ?? '')

  await page.goto(`${dugout.url}/search?kind=coaches&q=a`)
  await expect(page.getByText('Type two letters of a name.')).toBeVisible()
  await page.goto(`${dugout.url}/search?kind=teams&q=riv`)
  await expect(page.getByRole('region', { name: 'Teams' })).toContainText('Platte River Cranes')
  expect(problems).toEqual([])
})

test('a profile that turns private is gone from results, counts and the box at once', async ({ page }) => {
  await enter(page, dugout.url, 'fan')
  const [player] = await dugout.query<{ id: string; full_name: string }>(
    "select id, full_name from public.users where email = 'player@dugout.test'",
  )
  const address = `${dugout.url}/search?q=${encodeURIComponent(player?.full_name ?? '')}`
  await page.goto(address)
  await expect(page.getByRole('link', { name: player?.full_name })).toBeVisible()
  await dugout.query('update public.users set public_profile = false where id = $1', [player?.id])
  await page.goto(address)
  await expect(page.getByText(/^No player shown here is called|players?$/)).toBeVisible()
  await expect(page.getByRole('link', { name: player?.full_name })).toHaveCount(0)
  await dugout.query('update public.users set public_profile = true where id = $1', [player?.id])
})

test('a saved search tells the bell how many new players it finds', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'scout')
  await page.goto(`${dugout.url}/search`)
  await expect(page.getByText('Choose a filter, and you can save the search and be notified.')).toBeVisible()
  await page.getByRole('checkbox', { name: /^SS/ }).check()
  await page.getByRole('button', { name: 'Save and notify' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save this search' })
  await expect(dialog.getByLabel('Name')).toHaveValue('SS')
  await dialog.getByLabel('Name').fill('Shortstops')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const saved = page.getByRole('region', { name: 'Saved searches' })
  await expect(saved.getByRole('link', { name: 'Shortstops' })).toBeVisible()
  await review(page, 'search-saved')

  await dugout.query(`
    update public.players set positions = array['SS'] where user_id = (
      select s.id from private.search_people as s where s.role = 'player' and not 'SS' = any (s.positions) order by s.id limit 1);
    update public.saved_searches set checked_at = now() - interval '2 days';
    select private.run_saved_searches()`)
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await expect(page.getByText('It found a new player.')).toBeVisible()
  await page.keyboard.press('Escape')

  const bell = saved.getByRole('button', { name: 'Notify me of new players: Shortstops' })
  await expect(bell).toHaveAttribute('aria-pressed', 'true')
  await bell.click()
  await expect(bell).toHaveAttribute('aria-pressed', 'false')
  await page.goto(`${dugout.url}/search`)
  await saved.getByRole('link', { name: 'Shortstops' }).click()
  await expect(page.getByRole('checkbox', { name: /^SS/ })).toBeChecked()
  await saved.getByRole('button', { name: 'Remove Shortstops' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(saved.getByRole('link', { name: 'Shortstops' })).toHaveCount(0)
  expect(problems).toEqual([])
})
