import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, entry, review, toast, watchConsole } from './page.ts'

const person = (number: number) => `d0600000-0000-4000-8000-${String(number).padStart(12, '0')}`

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

async function nameOf(number: number): Promise<string> {
  const rows = await dugout.query<{ full_name: string }>('select full_name from public.profiles where id = $1', [
    person(number),
  ])
  return rows[0]?.full_name ?? ''
}

test('a coach keeps a profile, which others see as a coach’s', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/coach`)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await entry(page, 'Years coaching').fill('55')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please enter a number from 0 to 49.')).toBeVisible()
  await entry(page, 'Years coaching').fill('22')
  await page.getByRole('button', { name: 'Save' }).click()
  const coaching = page.getByRole('region', { name: 'Coaching', exact: true })
  await expect(coaching).toContainText('22 years')
  await expect(coaching.getByRole('list', { name: 'Badges' })).toContainText('20 years of coaching')
  await review(page, 'coach')

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('combobox', { name: 'Badges' }).selectOption('false')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(coaching).toContainText('Your badges are hidden.')
  await page.goto(`${dugout.url}/player/${person(202)}`)
  await expect(page.getByRole('heading', { level: 1, name: await nameOf(202) })).toBeVisible()
  await expect(coaching).toContainText('Juniper Ridge Miners')
  await expect(page.getByRole('region', { name: 'Teams' })).toContainText('Juniper Ridge Miners')
  await expect(page.getByRole('button', { name: 'Edit', exact: true })).toHaveCount(0)
  await review(page, 'coach-public')
  expect(problems).toEqual([])
})

test('a coach makes a team, invites, accepts, removes, renames and leaves', async ({ page }) => {
  // Ten teams a day, and no more.
  const problems = watchConsole(page, 'status of 429')
  const [stranger, junior, own] = await Promise.all([nameOf(20), nameOf(2), nameOf(3)])
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/coach`)
  await page.getByRole('button', { name: 'Create team' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Please give the team a name.')).toBeVisible()
  await entry(page, 'Team name').fill('Owls')
  await page.getByRole('combobox', { name: 'League' }).selectOption({ label: 'Prairie Sky 16U (16U)' })
  await entry(page, 'State').fill('ne')
  await review(page, 'create-team')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('region', { name: 'Owls', exact: true })).toContainText('NE · Prairie Sky 16U')
  await page.getByRole('button', { name: 'Rename Owls' }).click()
  await entry(page, 'Team name').fill('Night Owls')
  await page.getByRole('button', { name: 'Save' }).click()
  const owls = page.getByRole('region', { name: 'Night Owls', exact: true })

  await owls.getByRole('button', { name: 'Invite to Night Owls' }).click()
  await page.getByRole('searchbox', { name: 'Player or coach' }).fill(stranger.toLowerCase())
  await page.getByRole('radio', { name: stranger }).first().check()
  await entry(page, 'Jersey').fill('123')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(page.getByText('Please enter one or two digits.')).toBeVisible()
  await entry(page, 'Jersey').fill('12')
  await page.getByRole('button', { name: 'Invite', exact: true }).click()
  await expect(owls.getByRole('row', { name: stranger })).toContainText('Invited')
  await owls.getByRole('button', { name: `Remove ${stranger}` }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(owls.getByRole('row', { name: stranger })).toHaveCount(0)

  const herons = page.getByRole('region', { name: 'Cedar Falls Herons', exact: true })
  await herons.getByRole('button', { name: `Accept ${junior}` }).click()
  await expect(herons.getByRole('row', { name: junior })).toContainText('On the team')
  await herons.getByRole('button', { name: `Remove ${own}` }).click()
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(herons.getByRole('row', { name: own })).toHaveCount(0)

  await dugout.query(
    `insert into public.teams (name, created_by) select 'Team ' || n, '${person(201)}' from generate_series(1, 9) as n`,
  )
  await page.getByRole('button', { name: 'Create team' }).click()
  await entry(page, 'Team name').fill('One too many')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Ten teams a day are enough. Try again tomorrow.')).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()

  await owls.getByRole('button', { name: 'Leave Night Owls' }).click()
  await expect(page.getByText('You are its only coach: the team is closed when you leave.')).toBeVisible()
  await page.getByRole('button', { name: 'Leave team' }).click()
  // Behind the open dialog there is nothing, so that alone would say nothing.
  await expect(toast(page, 'You have left Night Owls')).toBeVisible()
  await expect(owls).toHaveCount(0)
  expect(await dugout.query("select active from public.teams where name = 'Night Owls'")).toEqual([{ active: false }])
  expect(problems).toEqual([])
})

test('a coach measures players of the team, and verifies what they ask for', async ({ page }) => {
  const problems = watchConsole(page)
  const coach = await nameOf(201)
  await enter(page, dugout.url, 'coach')
  await page.goto(`${dugout.url}/player/${person(1)}`)
  await page.getByRole('button', { name: 'Add measurement' }).click()
  await page.getByRole('combobox', { name: 'What' }).selectOption('grip_strength')
  await entry(page, 'Value').fill('900')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Grip strength is between 10 and 250 lb.')).toBeVisible()
  await entry(page, 'Value').fill('110')
  await page.getByRole('button', { name: 'Save' }).click()
  const grip = page.getByRole('row', { name: /Grip strength 110 lb/ })
  await expect(grip.getByRole('cell', { name: `Coach, ${coach}` })).toBeVisible()
  await expect(grip.getByRole('cell', { name: coach, exact: true })).toBeVisible()

  const dash = page.getByRole('row', { name: /^60-yard dash/ }).first()
  await expect(dash).toContainText('Asked')
  await dash.getByRole('button', { name: /^Verify 60-yard dash/ }).click()
  await expect(toast(page, 'Verified')).toBeVisible()
  await expect(dash.getByRole('cell', { name: coach, exact: true })).toBeVisible()
  await review(page, 'coach-measures')
  await dash.getByRole('button', { name: /^Take back the verification/ }).click()
  await expect(dash.getByRole('cell', { name: coach, exact: true })).toHaveCount(0)

  await dugout.query(`update public.players set accept_coach_stats = false where user_id = '${person(1)}'`)
  await page.reload()
  await expect(page.getByText(`${await nameOf(1)} does not take measurements from coaches.`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add measurement' })).toHaveCount(0)
  // Of another team.
  await page.goto(`${dugout.url}/player/${person(21)}`)
  await expect(page.getByRole('region', { name: 'Measurements', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: /^(Add measurement|Verify)/ })).toHaveCount(0)
  expect(problems).toEqual([])
})

test('a coach answers what waits on Home itself', async ({ page }) => {
  const problems = watchConsole(page)
  await dugout.query(
    `insert into public.team_members (team_id, user_id, role, status)
     select team_id, '${person(17)}', 'player', 'asked' from public.team_members
     where user_id = '${person(201)}' and role = 'coach' and status = 'active' limit 1
     on conflict do nothing`,
  )
  const asking = await nameOf(17)
  await enter(page, dugout.url, 'coach')
  const waiting = page.getByRole('region', { name: 'Waiting for you' })
  await waiting.getByRole('button', { name: `Decline ${asking}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Decline' }).click()
  await expect(toast(page, 'Declined')).toBeVisible()
  await expect(waiting.getByRole('link', { name: asking })).toHaveCount(0)
  const verify = waiting.getByRole('button', { name: /^Verify / }).first()
  const name = (await verify.getAttribute('aria-label')) ?? ''
  await review(page, 'home-coach')
  await verify.click()
  await expect(toast(page, 'Verified')).toBeVisible()
  await expect(waiting.getByRole('button', { name, exact: true })).toHaveCount(0)
  // The keyboard reaches the toast, too.
  await page.keyboard.press('F8')
  // The toast itself, then its button.
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Verification taken back')).toBeVisible()
  await expect(waiting.getByRole('button', { name, exact: true })).toBeVisible()
  expect(problems).toEqual([])
})
