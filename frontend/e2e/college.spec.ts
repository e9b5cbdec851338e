import { expect, test } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { enter, review, watchConsole } from './page.ts'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ seeded: true })
})
test.afterAll(() => dugout.stop())

test('a player finds programs, moves them on the board, logs contacts, and shares it with the coach', async ({
  page,
  browser,
}) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/college-bound`)
  await expect(page.getByText('No program on the board yet')).toBeVisible()
  await review(page, 'college-empty')
  await page.getByRole('link', { name: 'Find programs' }).click()
  const list = page.getByRole('list', { name: 'Programs' })
  await page.getByRole('combobox', { name: 'Division' }).selectOption('1')
  await page.getByRole('combobox', { name: 'State' }).selectOption('CA')
  await page.getByRole('searchbox', { name: 'Search programs' }).fill('stanford')
  await expect(page).toHaveURL(/division=1&state=CA&q=stanford/)
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await page.getByRole('button', { name: 'Add Stanford' }).click()
  await expect(list.getByText('On the board')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search programs' }).fill('nothing like it')
  await expect(page.getByText('No program meets all filters')).toBeVisible()
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.getByRole('searchbox', { name: 'Search programs' }).fill('duke')
  await page.getByRole('button', { name: 'Add Duke' }).click()
  await expect(list.getByText('On the board')).toBeVisible()
  await review(page, 'college-programs')

  // By keyboard, then by pointer.
  await page.getByRole('tab', { name: 'Board' }).click()
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  const card = (name: string) => page.getByRole('article', { name })
  await expect(column('Interested').getByRole('article')).toHaveCount(2)
  const choice = page.getByRole('combobox', { name: 'Column of Stanford' })
  await choice.focus()
  await choice.selectOption('contacted')
  await expect(column('Contacted').getByRole('article', { name: 'Stanford' })).toBeVisible()
  await card('Duke').dragTo(column('Visit'))
  await expect(column('Visit').getByRole('article', { name: 'Duke' })).toBeVisible()
  await expect.poll(() => statuses()).toEqual(['contacted', 'visit'])

  // The level, the fit, and why.
  await page
    .getByRole('slider', { name: 'K-BB% as a freshman' })
    .or(page.getByRole('slider', { name: 'wOBA as a freshman' }))
    .press('End')
  await expect(card('Stanford')).toContainText('Likely')
  await card('Stanford').getByRole('button', { name: 'Stanford' }).click()
  const panel = page.getByRole('region', { name: 'Stanford', exact: true })
  await expect(panel).toContainText('percentile of')
  await page.getByRole('button', { name: 'Log a contact' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('With whom').fill('Coach Lee')
  await form.getByLabel('Notes').fill('Asked for a video')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(panel).toContainText('Email to Coach Lee')
  await page.getByRole('button', { name: 'Plan' }).click()
  await form.getByLabel('Next step').fill('Send the video')
  await form.getByLabel('By', { exact: false }).first().fill('2026-01-02')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(card('Stanford')).toContainText('Send the video')
  await review(page, 'college-board')

  await page.getByRole('switch', { name: 'Team coaches can read this board' }).click()
  await expect.poll(() => shared()).toBe(true)
  const coach = await browser.newPage()
  await enter(coach, dugout.url, 'coach')
  await coach.goto(`${dugout.url}/college-bound`)
  await expect(coach.getByText('shares this board with you')).toBeVisible()
  await expect(coach.getByRole('article', { name: 'Stanford' })).toContainText('Send the video')
  await expect(coach.getByRole('combobox', { name: 'Column of Stanford' })).toHaveCount(0)
  await coach.close()
  expect(problems).toEqual([])
})

test('tasks by grade', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/college-bound?tab=tasks`)
  await page.getByRole('button', { name: 'Start with the usual tasks' }).click()
  const eleventh = page.getByRole('region', { name: 'Grade 11' })
  await expect(eleventh).toContainText('0 of 4')
  await eleventh.getByRole('checkbox', { name: 'Email ten programs' }).click()
  await expect(eleventh).toContainText('1 of 4')
  await page.getByRole('button', { name: 'Add a task' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Task').fill('Call the admissions office')
  await form.getByRole('combobox').selectOption('11')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(eleventh).toContainText('1 of 5')
  await review(page, 'college-tasks')
  await page.reload()
  await expect(eleventh.getByRole('checkbox', { name: 'Email ten programs' })).toBeChecked()
  expect(problems).toEqual([])
})

test('an admin enters recruiting periods with their source', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'admin')
  await page.goto(`${dugout.url}/college-bound`)
  await expect(page.getByText('Players and guardians keep a board')).toBeVisible()
  const section = page.getByRole('region', { name: 'Recruiting periods' })
  await expect(section).toContainText('No dates entered')
  await page.getByRole('button', { name: 'Add a period' }).click()
  const form = page.getByRole('dialog')
  const year = new Date().getFullYear()
  await form.getByLabel('From').fill(`${year}-01-01`)
  await form.getByLabel('To', { exact: true }).fill(`${year - 1}-12-31`)
  await form.getByLabel('Source').fill('NCAA calendar')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form.getByText('It ends after it begins.')).toBeVisible()
  await form.getByLabel('To', { exact: true }).fill(`${year}-12-31`)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(section).toContainText('Contact period · D1')
  await expect(section).toContainText('Now')
  await expect(section).toContainText('NCAA calendar, checked')
  expect(problems).toEqual([])
})

async function statuses() {
  const rows = await dugout.query<{ status: string }>('select status from public.college_targets order by status')
  return rows.map(({ status }) => status)
}

async function shared() {
  const [plan] = await dugout.query<{ shared: boolean }>(
    'select shared_with_coaches as shared from public.college_plans',
  )
  return plan?.shared
}

/** Duke with an offer, on the player's board. */
const OFFER = `
  insert into public.college_targets (player_id, program_id, status)
  select u.id, p.id, 'offer' from public.users as u, public.programs as p where u.email = 'player@dugout.test' and p.name = 'Duke'
  on conflict (player_id, program_id) do update set status = 'offer'`

test('a letter is filled in, kept and logged; nothing is sent', async ({ page, context }) => {
  const problems = watchConsole(page)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dugout.query(OFFER)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/college-bound`)
  await page.getByRole('article', { name: 'Duke' }).getByRole('button', { name: 'Duke' }).click()
  await page.getByRole('button', { name: 'Write a letter' }).click()
  const dialog = page.getByRole('dialog', { name: 'Letter to Duke' })
  const preview = dialog.getByRole('region', { name: 'Preview' })
  await expect(preview).toContainText('interested in Duke baseball')
  await expect(dialog.getByRole('status')).toContainText('Not known: {coach}')
  await review(page, 'college-letter')
  await dialog.getByLabel('Title').fill('To Duke')
  await dialog.getByLabel('Text').fill('Dear Coach Hart,\n\nI am {name}.')
  await expect(dialog.getByRole('status')).toHaveCount(0)
  await expect(preview).toContainText('Dear Coach Hart, I am')
  await dialog.getByRole('button', { name: 'Copy' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^Dear Coach Hart,\n\nI am \w+/)
  await dialog.getByRole('button', { name: 'Keep as template' }).click()
  await expect(dialog.getByRole('button', { name: 'Remove template' })).toBeVisible()
  await dialog.getByRole('button', { name: 'I sent it' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Duke', exact: true })).toContainText('Dear Coach Hart')
  expect(problems).toEqual([])
})

test('a commitment is announced to whom the player chooses', async ({ page, browser }) => {
  const problems = watchConsole(page)
  await dugout.query(OFFER)
  await dugout.query("update public.users set public_profile = true where email = 'player@dugout.test'")
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/college-bound`)
  await page.getByRole('article', { name: 'Duke' }).getByRole('button', { name: 'Duke' }).click()
  await page.getByRole('button', { name: 'Commit' }).click()
  const form = page.getByRole('dialog', { name: 'Commitment to Duke' })
  await form.getByLabel('Announce it to').selectOption('public')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toHaveCount(0)
  const scout = await (await browser.newContext()).newPage()
  await enter(scout, dugout.url, 'scout')
  await scout.goto(`${dugout.url}/timeline`)
  await expect(scout.getByText('Committed to Duke.')).toBeVisible()
  await review(scout, 'timeline-commitment')
  await page.goto(`${dugout.url}/timeline`)
  await page.getByRole('button', { name: 'Delete this announcement' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await scout.reload()
  const feed = scout.getByRole('tabpanel', { name: 'For you' })
  await expect(
    feed
      .getByRole('article')
      .or(feed.getByRole('link', { name: 'Find players' }))
      .first(),
  ).toBeVisible()
  await expect(scout.getByText('Committed to Duke.')).toHaveCount(0)
  await scout.context().close()
  expect(problems).toEqual([])
})

test('the map of programs is a filter, also by keyboard', async ({ page }) => {
  const problems = watchConsole(page)
  await enter(page, dugout.url, 'player')
  await page.goto(`${dugout.url}/college-bound?tab=programs`)
  const map = page.getByRole('group', { name: /^Programs by state/ })
  await map.getByRole('button', { name: /^California: \d+ programs$/ }).press('ArrowUp')
  const oregon = map.getByRole('button', { name: /^Oregon: \d+ programs$/ })
  await expect(oregon).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(oregon).toHaveAttribute('aria-pressed', 'true')
  await expect(page).toHaveURL(/state=OR/)
  await expect(page.getByRole('combobox', { name: 'State' })).toHaveValue('OR')
  const programs = Number(/\d+/.exec((await oregon.getAttribute('aria-label')) ?? '')?.[0])
  await expect(page.getByRole('list', { name: 'Programs' }).getByRole('listitem')).toHaveCount(programs)
  await review(page, 'college-map')
  await oregon.click()
  await expect(page).not.toHaveURL(/state=/)
  expect(problems).toEqual([])
})
