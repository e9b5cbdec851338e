import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, entry, review, watchConsole } from './page.ts'

const SCOUT = 'd0600000-0000-4000-8000-000000000301'
const PLAYER = 'd0600000-0000-4000-8000-000000000007'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
  await dugout.query('delete from public.follows; delete from public.scout_notes; delete from public.watchlists')
})
test.afterAll(() => dugout.stop())

test('a scout keeps a profile, follows a player, and is seen as a scout', async ({ page, browser }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'scout')
  await page.goto(`${dugout.url}/scout`)
  const scouting = page.getByRole('region', { name: 'Scouting' })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await entry(page, 'Organization').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Organization is required')).toBeVisible()
  await entry(page, 'Organization').fill('Far West Scouting')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(scouting).toContainText('Far West Scouting')

  await page.goto(`${dugout.url}/player/${PLAYER}`)
  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Following' })).toBeVisible()
  await page.goto(`${dugout.url}/followed-players`)
  await expect(page.getByRole('list', { name: 'Followed players' }).getByRole('listitem')).not.toHaveCount(0)
  await review(page, 'followed-players')

  const visitor = await (await browser.newContext()).newPage()
  await visitor.goto(`${dugout.url}/player/${SCOUT}`)
  await expect(visitor.getByRole('region', { name: 'Scouting' })).toContainText('Far West Scouting')
  await expect(visitor.getByRole('region', { name: 'Scouting' })).toContainText('Verified scout since')
  await expect(visitor.getByRole('region', { name: 'Percentiles' })).toHaveCount(0)
  await review(visitor, 'scout-public')
  await visitor.goto(`${dugout.url}/player/${PLAYER}`)
  await expect(visitor.getByRole('region', { name: 'At a glance' })).toBeVisible()
  await expect(visitor.getByRole('region', { name: 'Your notes' })).toHaveCount(0)
  await visitor.context().close()
  expect(problems).toEqual([])
})

test('a scout writes notes with grades, and keeps lists of players', async ({ page }) => {
  // A second list of the same name is refused by the server.
  const problems = watchConsole(page, 'status of 409')
  await enter(page, dugout.url, 'scout')
  await page.goto(`${dugout.url}/player/${PLAYER}`)
  const name = await page.getByRole('heading', { level: 1 }).innerText()
  const notes = page.getByRole('region', { name: 'Your notes' })
  await expect(notes).toContainText('never see them')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please write something, or grade a tool.')).toBeVisible()
  await page.getByRole('dialog').getByRole('combobox').first().selectOption('55')
  await entry(page, 'Note').fill('Loose arm, easy finish.')
  await review(page, 'scout-note')
  await page.reload()
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(entry(page, 'Note')).toHaveValue('Loose arm, easy finish.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notes.getByRole('listitem')).toContainText('Loose arm, easy finish.')
  await expect(notes.getByRole('definition')).toHaveText('55')
  await notes.getByRole('button', { name: /^Edit the note/ }).click()
  await entry(page, 'Note').fill('Loose arm, repeats it.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notes.getByRole('listitem')).toContainText('repeats it')

  const lists = page.getByRole('region', { name: 'Watchlists' })
  for (const list of ['Spring', 'Summer']) {
    await lists.getByRole('button', { name: 'New list' }).click()
    await entry(page, 'Name').fill(list)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(lists.getByRole('switch', { name: list })).toBeVisible()
  }
  await lists.getByRole('button', { name: 'New list' }).click()
  await entry(page, 'Name').fill('Spring')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('You have a list of this name already.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await lists.getByRole('switch', { name: 'Spring' }).click()
  await lists.getByRole('button', { name: 'Edit the note on Spring' }).click()
  await entry(page, 'Note').fill('See the bullpen.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(lists).toContainText('See the bullpen.')
  await review(page, 'scout-desk')

  await page.goto(`${dugout.url}/scout`)
  const spring = page.getByRole('region', { name: 'Spring', exact: true })
  await expect(spring.getByRole('row', { name })).toContainText('See the bullpen.')
  await review(page, 'scout')
  await spring.getByRole('button', { name: `Remove ${name} from Spring` }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(spring.getByText('Nobody is on this list yet.')).toBeVisible()
  await spring.getByRole('button', { name: 'Remove Spring' }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(spring).toHaveCount(0)
  expect(await dugout.query('select scout_id, body from public.scout_notes')).toEqual([
    { scout_id: SCOUT, body: 'Loose arm, repeats it.' },
  ])
  expect(problems).toEqual([])
})
