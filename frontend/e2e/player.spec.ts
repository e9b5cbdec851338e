import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, entry, review, watchConsole } from './page.ts'

const PLAYER = 'd0600000-0000-4000-8000-000000000001'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

test('a player keeps a profile: facts, measurements, seasons', async ({ page }) => {
  // A season that is there already is refused by the server.
  const problems = watchConsole(page, 'status of 409')
  await enter(page, dugout.url, 'player')
  await review(page, 'home-player')
  await page.goto(`${dugout.url}/player`)
  const percentiles = page.getByRole('region', { name: 'Percentiles' })
  await expect(percentiles.getByText(/n = \d+/).first()).toBeVisible()
  await review(page, 'player')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await entry(page, 'School').fill('Harbor High')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'At a glance' })).toContainText('Harbor High')

  await page.getByRole('button', { name: 'Add measurement' }).click()
  await page.getByRole('combobox', { name: 'What' }).selectOption('pop_time')
  await entry(page, 'Value').fill('9')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Pop time is between 1.6 and 5 s.')).toBeVisible()
  await entry(page, 'Value').fill('2.07')
  await page.getByRole('button', { name: 'Save' }).click()
  const popTime = page.getByRole('row', { name: /Pop time 2.07 s/ })
  await expect(popTime).toContainText('Asked')
  await popTime.getByRole('button', { name: /^Do not ask/ }).click()
  await expect(popTime.getByRole('button', { name: /^Ask to verify/ })).toBeVisible()
  await page.getByRole('switch', { name: 'Coaches of my team may add measurements' }).click()
  await expect
    .poll(() => dugout.query('select accept_coach_stats from public.players where user_id = $1', [PLAYER]))
    .toEqual([{ accept_coach_stats: false }])

  const pitching = page.getByRole('region', { name: 'Pitching', exact: true })
  const season = new Date().getFullYear()
  await pitching.getByRole('button', { name: `Edit pitching of ${season}` }).click()
  await entry(page, 'IP').fill('5.3')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter innings such as 45.1')).toBeVisible()
  await entry(page, 'IP').fill('5.2')
  await entry(page, 'ER').fill('900')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Earned runs are runs: there are more of them.')).toBeVisible()
  await entry(page, 'ER').fill('3')
  await entry(page, 'Season').fill(String(season - 1))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('This season with this team is there already: edit that line.')).toBeVisible()
  await entry(page, 'Season').fill(String(season))
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(pitching.getByRole('row', { name: new RegExp(`^${season}`) })).toContainText('5.2')
  await pitching.getByRole('button', { name: `Edit pitching of ${season}` }).click()
  await expect(entry(page, 'IP')).toHaveValue('5.2')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(problems).toEqual([])
})

test('a player asks to join a team, declines and accepts invitations, and leaves', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/player`)
  const teams = page.getByRole('region', { name: 'Teams' })
  await teams.getByRole('button', { name: 'Ask to join a team' }).click()
  await page.getByRole('button', { name: 'Ask to join', exact: true }).click()
  await expect(page.getByText('Please choose one from the list.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Team' }).fill('juniper')
  await page.getByRole('radio', { name: /^Juniper Ridge Miners/ }).check()
  await review(page, 'ask-to-join')
  await page.getByRole('button', { name: 'Ask to join', exact: true }).click()
  await expect(teams.getByRole('listitem').filter({ hasText: 'Juniper Ridge Miners' })).toContainText(
    'Your request waits for a coach',
  )
  await teams.getByRole('button', { name: 'Withdraw from Juniper Ridge Miners' }).click()
  await expect(teams.getByText('Juniper Ridge Miners')).toHaveCount(0)

  await dugout.query(
    `insert into public.team_members (team_id, user_id, role, status)
     select id, '${PLAYER}', 'player', 'invited' from public.teams where name like 'Alder%' or name like 'Harbor%'`,
  )
  await page.reload()
  await teams.getByRole('button', { name: 'Decline Alder Creek Pilots' }).click()
  await expect(teams.getByText('Alder Creek Pilots')).toHaveCount(0)
  await teams.getByRole('button', { name: 'Accept Harbor Point Anchors' }).click()
  await teams.getByRole('button', { name: 'Leave Harbor Point Anchors' }).click()
  await page.getByRole('button', { name: 'Leave team' }).click()
  await expect(teams.getByText('Harbor Point Anchors')).toHaveCount(0)
  await expect(teams.getByText('Cedar Falls Herons')).toBeVisible()
  expect(problems).toEqual([])
})

test('a profile prints on one page, without the shell and its buttons', async ({ page }) => {
  await page.goto(`${dugout.url}/player/${PLAYER}`)
  await expect(page.getByText(/n = \d+/).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Doubles and a triple in May' })).toBeVisible()
  for (const format of ['A4', 'Letter']) {
    const pdf = await page.pdf({ format })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
  }
  // As the printer sees it.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')))
  const sheet = page.getByRole('article')
  for (const heading of ['Percentiles', 'Measurements', 'Batting', 'Pitching', 'Videos']) {
    await expect(sheet.getByRole('heading', { name: heading })).toBeVisible()
  }
  expect(await sheet.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0)
  await expect(page.getByRole('button')).toHaveCount(0)
  await expect(page.getByRole('navigation')).toHaveCount(0)
})
