import { readFileSync } from 'node:fs'
import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enrol } from './authenticator.ts'
import { enter as enterAs, review, signUp, watchConsole } from './page.ts'

/** More than the API hands out at once, twice. */
const CROWD = 2_100

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

const enter = (page: Page, who: string) => enterAs(page, dugout.url, who)

/** Fills in a dialog that a button opens, and saves it. */
async function save(page: Page, button: string, fields: Readonly<Record<string, string>>) {
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog')
  for (const [label, value] of Object.entries(fields)) {
    const field = dialog.getByLabel(label, { exact: true })
    if ((await field.evaluate((control) => control.tagName)) === 'SELECT') await field.selectOption(value)
    else await field.fill(value)
  }
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
}

test('admin is who was granted it on the server, whatever the menu shows', async ({ page }) => {
  // What is refused before there is a second factor.
  const problems = watchConsole(page, 'rpc/admin_totals')
  const vic = { name: 'Vic Stone', email: 'vic@club.test', role: 'fan' as const }
  await signUp(page, dugout.url, vic)
  await page.goto(`${dugout.url}/admin`)
  await expect(page.getByText('This screen is for admins. Your account is not one.')).toBeVisible()

  await dugout.grantAdmin(vic.email)
  await page.reload()
  await test.step('who sees nothing but the way to a second factor, and gets nothing', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Add a second factor' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Open menu' })).toHaveCount(0)
    await page.goto(`${dugout.url}/settings`)
    await expect(page.getByRole('heading', { level: 1, name: 'Add a second factor' })).toBeVisible()
    await review(page, 'admin-enrolment')
    expect(await adminTotals(page)).toMatchObject({ code: 'PT403', message: 'Admins need a second factor.' })
  })
  await enrol(page)
  await page.goto(`${dugout.url}/admin`)
  await expect(page.getByRole('region', { name: 'Now' })).toContainText('Active today')
  // Neither of the two configured addresses: no entry in the menu.
  await page.getByRole('button', { name: 'Open menu' }).click()
  const menu = page.getByRole('navigation', { name: 'Menu' })
  await expect(menu.getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(menu.getByRole('link', { name: 'Admin' })).toHaveCount(0)
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Audit log' }).click()
  await expect(page.getByRole('row', { name: /The server’s operator made Vic Stone an admin/ })).toBeVisible()
  expect(problems).toEqual([])
})

/** What the server answers to the token that the page holds. */
async function adminTotals(page: Page): Promise<unknown> {
  const { ANON_KEY } = await dugout.status()
  return page.evaluate(async (apikey) => {
    const key = Object.keys(localStorage).find((name) => /^sb-.+-auth-token$/.test(name)) ?? ''
    const { access_token } = JSON.parse(localStorage.getItem(key) ?? '{}') as { access_token?: string }
    const headers = { apikey, Authorization: `Bearer ${access_token ?? ''}`, 'Content-Type': 'application/json' }
    return (
      await fetch('/rest/v1/rpc/admin_totals', { method: 'POST', headers, body: '{}' })
    ).json() as Promise<unknown>
  }, ANON_KEY)
}

test('figures: totals, charts with their numbers, pages, devices, codes', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, 'admin')
  await page.goto(`${dugout.url}/admin`)
  await expect(page.getByRole('region', { name: 'Now' })).toContainText('Active today')
  await expect(page.getByRole('region', { name: 'Page views', exact: true }).getByRole('row').nth(1)).toBeVisible()
  const weeks = page.getByRole('region', { name: 'Weekly active users' })
  await weeks.getByText('As a table').click()
  await expect(weeks.getByRole('row')).toHaveCount(1 + 12)
  await weeks.getByText('As a table').click()
  await expect(weeks.locator('figure svg > *')).not.toHaveCount(0)
  await review(page, 'admin')
  await page.getByLabel('Figures over').selectOption('7')
  await expect(page).toHaveURL(/days=7/)
  const activity = page.getByRole('region', { name: 'Activity' })
  await activity.getByText('As a table').click()
  await expect(activity.getByRole('row')).toHaveCount(1 + 7)
  expect(problems).toEqual([])
})

test('an admin does everything once to an account, and all of it is in the audit log', async ({ page }) => {
  // What the server refuses on purpose.
  const problems = watchConsole(page, 'rpc/admin_adjust_tokens', 'rpc/admin_clear_birth_date')
  const [scout] = await dugout.query<{ id: string; name: string }>(
    "select id, full_name as name from public.users where email = 'scout@dugout.test'",
  )
  const { id = '', name = '' } = scout ?? {}
  await enter(page, 'admin')
  await page.goto(`${dugout.url}/admin?tab=users`)
  await page.getByRole('searchbox', { name: 'Search Users' }).fill('scout@dugout.test')
  await expect(page).toHaveURL(/u\.q=scout/)
  await page.getByRole('table').getByRole('link', { name }).click()
  await expect(page.getByRole('main')).toBeFocused()

  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('button', { name: 'Verify scout' }).click()
  await expect(page.getByText(/^Verified on/)).toBeVisible()

  await page.getByRole('button', { name: 'Adjust tokens' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tokens').fill('0')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('Please enter an amount other than 0.')).toBeVisible()
  await expect(dialog.getByText('Please say why: it stands in the audit log.')).toBeVisible()
  await dialog.getByLabel('Tokens').fill('-151')
  await dialog.getByLabel('Why').fill('Redeemed by mistake')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('A balance does not go below 0.')).toBeVisible()
  await dialog.getByLabel('Tokens').fill('-50')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByText('100 now, the sum of the ledger')).toBeVisible()
  expect(
    await dugout.query(
      'select referral_tokens as balance, (select sum(amount)::int from public.token_ledger where user_id = $1) as sum from public.users where id = $1',
      [id],
    ),
  ).toEqual([{ balance: 100, sum: 100 }])

  await save(page, 'Set membership', { Membership: 'ELITE', Why: 'Paid by cheque' })
  await expect(page.getByText('Elite', { exact: true })).toBeVisible()
  await save(page, 'Clear birth date', { Why: 'Mistyped' })
  await page.getByRole('button', { name: 'Clear birth date' }).click()
  await dialog.getByLabel('Why').fill('Once more')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('This user has not told a birth date.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await save(page, 'Suspend', { Why: 'Spam in three threads' })
  await expect(page.getByText(/^Suspended since .*“Spam in three threads”/)).toBeVisible()
  await review(page, 'admin-user')
  await save(page, 'Change reason', { Why: 'Spam in four threads' })
  await expect(page.getByText(/^Suspended since .*“Spam in four threads”/)).toBeVisible()
  await save(page, 'Lift suspension', { Why: 'Has apologized' })
  await save(page, 'Set role', { Role: 'coach', Why: 'Coaches now' })
  // As a scout they were; as a coach nobody has verified them yet.
  await expect(page.getByText('Not verified')).toBeVisible()
  await page.getByRole('button', { name: 'Verify coach' }).click()
  await expect(page.getByText(/^Verified on/)).toBeVisible()

  await page.getByRole('link', { name: 'All about them' }).click()
  await expect(page).toHaveURL(new RegExp(`a\\.subject=${id}`))
  const lines = page.getByRole('table').getByRole('row')
  for (const line of [
    `Avery Admin took back the verification of ${name}`,
    `Avery Admin verified the scout ${name}`,
    `Avery Admin verified the coach ${name}`,
    `Avery Admin adjusted the tokens of ${name} by -50 Redeemed by mistake`,
    `Avery Admin set the membership of ${name} to ELITE Paid by cheque`,
    `Avery Admin cleared the birth date of ${name} Mistyped`,
    `Avery Admin suspended ${name} Spam in three threads`,
    `Avery Admin suspended ${name} Spam in four threads`,
    `Avery Admin lifted the suspension of ${name} Has apologized`,
    `Avery Admin changed the role of ${name} from scout to coach`,
    `Avery Admin set the role of ${name} to coach Coaches now`,
  ]) {
    await expect(page.getByRole('row', { name: line })).toHaveCount(1)
  }
  await review(page, 'admin-audit')
  await page.getByRole('combobox', { name: 'Action' }).selectOption('user_suspended')
  await expect(page).toHaveURL(/a\.action=user_suspended/)
  await expect(lines).toHaveCount(1 + 2)
  await page.reload()
  await expect(lines).toHaveCount(1 + 2)
  await page.getByRole('combobox', { name: 'About' }).selectOption('')
  await expect(page).not.toHaveURL(/a\.subject/)
  expect(problems).toEqual([])
})

test('reports and messages are read, handled, and opened again', async ({ page }) => {
  const problems = watchConsole(page)
  const [video] = await dugout.query<{ id: string; title: string; player_id: string; name: string }>(
    `select v.id, v.title, v.player_id, u.full_name as name from public.videos v join public.users u on u.id = v.player_id limit 1`,
  )
  const { title = '', name = '' } = video ?? {}
  await dugout.query(
    `insert into public.reports (reporter_id, subject_kind, subject_id, subject_user_id, reason, details)
     select id, 'video', $1, $2, 'false_data', 'That is somebody else batting.' from public.users where email = 'fan@dugout.test'`,
    [video?.id, video?.player_id],
  )
  await enter(page, 'admin')
  await page.goto(`${dugout.url}/admin?tab=reports`)
  const report = page.getByRole('row', { name: /That is somebody else batting/ })
  await expect(report.getByRole('link', { name: title })).toHaveAttribute('href', /^https:/)
  await review(page, 'admin-reports')
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('open')
  await save(page, `Handle the report on video of ${name}`, {
    Outcome: 'dismissed',
    'What was found and done': 'It is the same jersey',
  })
  await expect(report).toHaveCount(0)
  await page.getByRole('combobox', { name: 'State' }).selectOption('dismissed')
  await expect(report).toContainText('“It is the same jersey” Avery Admin')

  await page.getByRole('tab', { name: /^Messages/ }).click()
  await page.getByRole('button', { name: 'Read the message of Dana Whitlock' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('We are 14 teams. Can we import our rosters at once?')
  await expect(dialog.getByRole('link', { name: 'Answer by email' })).toHaveAttribute(
    'href',
    /^mailto:dana@example\.com/,
  )
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.getByRole('button', { name: 'Open again' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog.getByRole('button', { name: 'Open again' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(page.getByRole('row', { name: /Dana Whitlock/ })).toContainText('Done')

  await page.getByRole('tab', { name: 'Audit log' }).click()
  const lines = page.getByRole('table').getByRole('row')
  await expect(lines.filter({ hasText: `dismissed a report on ${name}` })).toContainText('It is the same jersey')
  await expect(lines.filter({ hasText: 'opened a message again' })).toHaveCount(1)
  await expect(lines.filter({ hasText: 'ticked off a message' })).toHaveCount(2)
  expect(problems).toEqual([])
})

test('a visitor writes to us: nothing typed is lost, and five messages an hour are enough', async ({ page }) => {
  const problems = watchConsole(page, 'rpc/send_contact_message')
  await page.goto(`${dugout.url}/contact`)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Please tell us your name.')).toBeVisible()
  await expect(page.getByLabel('Name')).toBeFocused()
  await review(page, 'contact')
  await page.getByLabel('Name').fill('Pat Doe')
  await page.getByLabel('Email').fill(' pat@club.test ')
  await page.getByLabel('Subject').fill('A whole league')
  await page.getByLabel('Message').fill('How do twelve teams join?')
  await page.route('**/rpc/send_contact_message', (route) => route.abort())
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText(/^The server cannot be reached\..* Nothing you wrote is lost\.$/)).toBeVisible()
  await page.unroute('**/rpc/send_contact_message')
  await page.reload()
  await expect(page.getByLabel('Message')).toHaveValue('How do twelve teams join?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Your message has arrived.')).toBeVisible()
  expect(await dugout.query('select name, email, subject from public.contact_messages')).toContainEqual({
    name: 'Pat Doe',
    email: 'pat@club.test',
    subject: 'A whole league',
  })

  await page.getByRole('button', { name: 'Write another' }).click()
  await expect(page.getByLabel('Message')).toHaveValue('')
  await dugout.query(
    'insert into private.contact_attempts (visitor, writer) select visitor, writer from private.contact_attempts, generate_series(1, 4)',
  )
  await page.getByLabel('Name').fill('Pat Doe')
  await page.getByLabel('Email').fill('pat@club.test')
  await page.getByLabel('Subject').fill('Me again')
  await page.getByLabel('Message').fill('And a thirteenth?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(
    page.getByText('You have sent five messages within an hour. Try again later. Nothing you wrote is lost.'),
  ).toBeVisible()
  await expect(page.getByLabel('Message')).toHaveValue('And a thirteenth?')
  expect(problems).toEqual([])
})

test('more users than one answer holds are all there: searched, sorted, paged and exported', async ({ page }) => {
  const problems = watchConsole(page, 'admin_users')
  await dugout.query(
    `insert into auth.users (id, email, raw_user_meta_data, created_at)
     select gen_random_uuid(), 'crowd-' || n || '@example.com',
       jsonb_build_object('full_name', case n when 7 then '=1+1 "Evil", Crowd' else 'Crowd ' || n end, 'role', 'fan'),
       now() - n * interval '1 second'
     from generate_series(1, ${CROWD}) as n`,
  )
  const [{ total } = { total: 0 }] = await dugout.query<{ total: number }>(
    'select count(*)::int as total from public.users',
  )
  const shown = (number: number) => number.toLocaleString('en-US')
  await enter(page, 'admin')
  await page.goto(`${dugout.url}/admin?tab=users&u.page=9999`)
  await expect(page.getByText(`–${shown(total)} of ${shown(total)}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Next page' })).toBeDisabled()
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(page.getByText(`1–50 of ${shown(total)}`)).toBeVisible()
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/u\.page=2/)
  await expect(page.getByText(`51–100 of ${shown(total)}`)).toBeVisible()
  await review(page, 'admin-users')

  await page.getByRole('searchbox', { name: 'Search Users' }).fill('crowd example.com')
  await expect(page.getByText(`1–50 of ${shown(CROWD)}`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Role' }).selectOption('fan')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Users as CSV' }).click()
  const file = readFileSync(await (await download).path(), 'utf8')
  expect(file.split('\r\n')).toHaveLength(1 + CROWD + 1)
  expect(file).toContain('"\'=1+1 ""Evil"", Crowd",crowd-7@example.com,fan,BASIC,150,')

  await page.getByRole('searchbox', { name: 'Search Users' }).fill('nobody is called (this), "really"')
  await expect(page.getByText('Nothing fits “nobody is called (this), "really"”.')).toBeVisible()
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect(page.getByText(`1–50 of ${shown(total)}`)).toBeVisible()

  // A server in trouble: what is there stays, and one may try again.
  await page.route('**/rest/v1/admin_users*', (route) =>
    route.fulfill({ status: 400, json: { message: 'Out of order.' } }),
  )
  await page.getByRole('combobox', { name: 'State' }).selectOption('suspended')
  await expect(page.getByText('Users could not be loaded. Out of order.')).toBeVisible()
  await page.unroute('**/rest/v1/admin_users*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('row', { name: /suspended@dugout\.test/ })).toBeVisible()
  expect(problems).toEqual([])
})
