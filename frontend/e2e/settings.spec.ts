import { expect, test, type Page } from '@playwright/test'
import { Dugout } from './dugout.ts'
import { review, signIn, toast, watchConsole } from './page.ts'

const DEMO_PASSWORD = 'dugout-demo'
const EMAIL = 'fan@dugout.test'
const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'
const PLAYER = '/player/d0600000-0000-4000-8000-000000000007'

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ confirmations: true, tokenLife: 3600 })
})
test.afterAll(() => dugout.stop())

async function enter(page: Page, email = EMAIL, password = DEMO_PASSWORD) {
  await signIn(page, dugout.url, email, password)
  await expect(page).toHaveURL(`${dugout.url}/`)
}

/** Opens settings and waits until every part has been loaded. */
async function openSettings(page: Page) {
  await page.goto(`${dugout.url}/settings`)
  await expect(page.getByLabel('Full name')).toBeVisible()
  await expect(page.getByRole('switch', { name: 'Recruiting: By e-mail' })).toBeVisible()
  await expect(page.getByText('This session')).toBeVisible()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
}

test('settings ask for nothing that fails, and remember the colours before anything is painted', async ({ page }) => {
  const problems = watchConsole(page)
  const refused: string[] = []
  page.on('response', (answer) => answer.status() >= 400 && refused.push(answer.url()))
  await enter(page)
  await openSettings(page)
  await review(page, 'settings')
  expect(refused).toEqual([])
  expect(problems).toEqual([])

  const page_ = page.locator('html')
  await page.getByRole('region', { name: 'Appearance' }).getByRole('radio', { name: 'Dark' }).check()
  await expect(page_).toHaveCSS('color-scheme', 'dark')
  // Nothing of the app itself arrives, and yet the page is dark.
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.reload()
  await expect(page_).toHaveCSS('color-scheme', 'dark')
  await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(12, 19, 16)')
  await page.unroute('**/assets/*.js')
  await page.goto(dugout.url)
  await page.getByRole('button', { name: 'Open menu' }).click()
  const drawer = page.getByRole('dialog', { name: 'Menu' })
  await expect(drawer.getByRole('radio', { name: 'Dark' })).toBeChecked()
  await drawer.getByRole('radio', { name: 'Light' }).check()
  await expect(page_).toHaveCSS('color-scheme', 'light')
  await drawer.getByRole('radio', { name: 'Dark' }).check()
  await drawer.getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
  await expect(page_).toHaveCSS('color-scheme', 'light dark')
})

test('nothing typed is lost: no connection, a reload, a session that ended (issue 5)', async ({ page, context }) => {
  await enter(page)
  await openSettings(page)
  const profile = page.getByRole('region', { name: 'Profile' })

  await test.step('without a connection', async () => {
    await page.getByLabel('Full name').fill('Fay Wills')
    await context.setOffline(true)
    await profile.getByRole('button', { name: 'Save' }).click()
    await expect(profile.getByRole('alert')).toHaveText(UNREACHABLE)
    await expect(page.getByLabel('Full name')).toHaveValue('Fay Wills')
    const recruiting = page.getByRole('switch', { name: 'Recruiting: By e-mail' })
    await recruiting.click()
    await expect(toast(page, 'Not saved')).toContainText(UNREACHABLE)
    await expect(recruiting).toBeChecked()
    await page.getByRole('button', { name: 'Download my data' }).click()
    await expect(toast(page, 'No file was made')).toContainText(UNREACHABLE)
    await page.getByLabel('New email').fill('fay@club.test')
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByRole('region', { name: 'Email', exact: true }).getByRole('alert')).toHaveText(UNREACHABLE)
    await context.setOffline(false)
  })

  await test.step('a reload, and the logout dialog of section 2', async () => {
    await page.getByLabel('New password', { exact: true }).fill('secret-secret')
    await page.reload()
    await expect(page.getByLabel('Full name')).toHaveValue('Fay Wills')
    await expect(page.getByLabel('New email')).toHaveValue('fay@club.test')
    await expect(page.getByLabel('New password', { exact: true })).toHaveValue('')
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Unsaved Changes Detected' })
    await expect(dialog.getByRole('listitem')).toHaveCount(2)
    await expect(dialog).toContainText('Your name (Settings)')
    await expect(dialog).toContainText('Your new email (Settings)')
    await expect(dialog.getByRole('button', { name: 'Logout Without Saving' })).toBeVisible()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a session that somebody has ended', async () => {
    await dugout.query('delete from auth.sessions where user_id = (select id from auth.users where email = $1)', [
      EMAIL,
    ])
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(toast(page, 'You are signed out')).toContainText('Your session has ended.')
    await expect(page.getByText('Sign in to see this')).toBeVisible()
    await enter(page)
    await openSettings(page)
    await expect(page.getByLabel('Full name')).toHaveValue('Fay Wills')
    await expect(page.getByLabel('New email')).toHaveValue('fay@club.test')
  })

  await profile.getByRole('button', { name: 'Save' }).click()
  await expect(toast(page, 'Saved').first()).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Full name')).toHaveValue('Fay Wills')
  await expect(profile.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('a password and an address are changed, with every wrong turn', async ({ page }) => {
  const email = 'scout@dugout.test'
  await enter(page, email)
  await openSettings(page)
  const card = page.getByRole('region', { name: 'Password', exact: true })
  const password = page.getByLabel('New password', { exact: true })
  const again = page.getByLabel('Confirm new password')
  const change = card.getByRole('button', { name: 'Change password' })

  await test.step('an old session wants a code by mail', async () => {
    await password.fill('12345')
    await change.click()
    await expect(card.getByText('Password must be at least 6 characters')).toBeVisible()
    await expect(password).toBeFocused()
    await password.fill('new-secret-1')
    await again.fill('new-secret-2')
    await change.click()
    await expect(card.getByText('Passwords do not match')).toBeVisible()
    await again.fill('new-secret-1')
    await dugout.query("update auth.sessions set created_at = created_at - interval '2 days'")
    await change.click()
    await expect(card.getByText('We have sent you a code by e-mail.')).toBeVisible()
    await page.getByLabel('Code from the e-mail').fill('000000')
    await change.click()
    await expect(card.getByText('That code is not right, or it is too old.')).toBeVisible()
    await expect(password).toHaveValue('new-secret-1')
    await page.getByLabel('Code from the e-mail').fill(await dugout.mailedCode(email))
    await change.click()
    await expect(toast(page, 'Your password is changed')).toBeVisible()
    await expect(password).toHaveValue('')
    await expect(page.getByLabel('Code from the e-mail')).toHaveCount(0)
  })

  await test.step('an address is changed when both letters are answered', async () => {
    await page.getByLabel('New email').fill('nobody')
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByText('Please enter a complete address.')).toBeVisible()
    await page.getByLabel('New email').fill(EMAIL)
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByText('Another account has this address.')).toBeVisible()
    await page.getByLabel('New email').fill('sam@club.test')
    await page.getByRole('button', { name: 'Change email' }).click()
    await expect(page.getByText('We have sent links to confirm sam@club.test.')).toBeVisible()
    await page.reload()
    await expect(page.getByText('We have sent links to confirm sam@club.test.')).toBeVisible()
    const links = [await dugout.mailedLink(email), await dugout.mailedLink('sam@club.test')]
    await page.goto(links[0] ?? '')
    await expect(toast(page, 'Confirmed')).toContainText('Please proceed to confirm link sent to the other email')
    await page.goto(links[1] ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await openSettings(page)
    await expect(page.getByText('Now sam@club.test.')).toBeVisible()
  })

  await test.step('a link that was used says so', async () => {
    await page.goto(`${dugout.url}/#error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid`)
    await expect(toast(page, 'That link did not work')).toContainText('It has expired or was used before.')
  })
})

test('a profile is reported by users, and a follow is muted', async ({ page }) => {
  const problems = watchConsole(page)
  await page.goto(dugout.url + PLAYER)
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Sign in to report this' })).toBeVisible()
  await page.keyboard.press('Escape')

  await enter(page, 'coach@dugout.test')
  await page.goto(dugout.url + PLAYER)
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Please choose a reason.')).toBeVisible()
  await page.getByLabel('Reason').selectOption('Something else')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByText('Please say what is wrong.')).toBeVisible()
  await review(page, 'report')
  await page.getByLabel('Details').fill('The picture is not theirs.')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Report', exact: true }).click()
  await expect(page.getByLabel('Details')).toHaveValue('The picture is not theirs.')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(toast(page, 'Thank you')).toBeVisible()
  const measurements = page.getByRole('region', { name: 'Measurements' })
  await measurements
    .getByRole('button', { name: /^Report / })
    .first()
    .click()
  await page.getByLabel('Reason').selectOption('Something is not true')
  await page.getByRole('button', { name: 'Send report' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect
    .poll(() =>
      dugout.query('select subject_kind, reason, details from public.reports order by created_at desc limit 2'),
    )
    .toEqual([
      { subject_kind: 'measurement', reason: 'false_data', details: '' },
      { subject_kind: 'profile', reason: 'other', details: 'The picture is not theirs.' },
    ])

  await page.getByRole('button', { name: 'Follow', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Following' })).toBeVisible()
  const name = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
  await page.goto(`${dugout.url}/followed-players`)
  await page.getByRole('button', { name: `Mute ${name}`, exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: name })).toContainText('muted')
  await review(page, 'muted')
  await page.getByRole('button', { name: `Unmute ${name}` }).click()
  await expect(page.getByRole('button', { name: `Mute ${name}`, exact: true })).toBeVisible()
  await expect(page.getByRole('listitem').filter({ hasText: name })).not.toContainText('muted')
  expect(problems).toEqual([])
})
