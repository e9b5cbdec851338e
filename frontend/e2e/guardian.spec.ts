import { readFileSync } from 'node:fs'
import { expect, test, type Browser, type Page } from '@playwright/test'
import { unzipSync, strFromU8 } from 'fflate'
import { Dugout } from './dugout.ts'
import { expectAccessible, expectToFit, PASSWORD, review, signIn, toast, watchConsole, type Person } from './page.ts'

const SEED_PASSWORD = 'dugout-demo'
const KID: Person = { name: 'Remy Vega', email: 'remy@club.test' }
const MUM: Person = { name: 'Lena Vega', email: 'lena@club.test', role: 'fan' }

let dugout: Dugout

test.beforeAll(async () => {
  dugout = await Dugout.start({ confirmations: true })
})
test.afterAll(() => dugout.stop())

const yearsAgo = (years: number, days = 0) => {
  const day = new Date()
  day.setUTCFullYear(day.getUTCFullYear() - years)
  day.setUTCDate(day.getUTCDate() - days)
  return day.toISOString().slice(0, 10)
}

const idOf = async (email: string) => {
  const [row] = await dugout.query<{ id: string }>('select id from auth.users where email = $1', [email])
  return row?.id ?? ''
}

const newPage = async (browser: Browser) => (await browser.newContext()).newPage()
const card = (page: Page, name: string) => page.getByRole('region', { name })

/** Signs up and follows the link that is mailed. */
async function signUpByMail(page: Page, { name, email, role = 'player' }: Person) {
  await page.goto(`${dugout.url}/signin`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByLabel('Role').selectOption(role)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(toast(page, 'Please check your email to confirm your registration.')).toBeVisible()
}

async function confirmByMail(page: Page, { name, email }: Person) {
  await page.goto(await dugout.mailedLink(email))
  await expect(page.getByRole('heading', { level: 1, name: name.split(' ')[0] })).toBeVisible()
}

async function answerBirthDate(page: Page, birthDate: string) {
  const finish = card(page, 'Finish your profile')
  await finish.getByLabel('Birth date').fill(birthDate)
  await finish.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Yes, save' }).click()
  await expect(finish.getByLabel('Birth date')).toHaveCount(0)
}

test('a child of 12, a guardian, and what each may do (issue 5, minors)', async ({ page: kid, browser }) => {
  // Three people, one after the other, on a busy machine.
  test.setTimeout(240_000)
  // When the account is deleted, its page notices that the session has ended.
  const problems = watchConsole(kid, 'grant_type=refresh_token')
  const mum = await newPage(browser)
  // Accepting before the own birth date is known, making the ward older, and deleting without a recent sign-in, are refused.
  const problemsOfMum = watchConsole(mum, 'rpc/answer_invitation', 'rpc/correct_birth_date', 'rpc/delete_account')
  const scout = await newPage(browser)
  await signIn(scout, dugout.url, 'scout@dugout.test', SEED_PASSWORD)
  await expect(scout).toHaveURL(`${dugout.url}/`)

  await test.step('a child signs up, says its age, and is seen by nobody', async () => {
    await signUpByMail(kid, KID)
    await confirmByMail(kid, KID)
    await answerBirthDate(kid, yearsAgo(12, 100))
    await expect(card(kid, 'Finish your profile')).toContainText('You are under 13')
    await kid.goto(`${dugout.url}/player`)
    await expect(kid.getByText('until a parent or guardian has accepted your account')).toBeVisible()
    await expect(kid.getByRole('button', { name: 'Add video' })).toHaveCount(0)
  })

  const kidProfile = `${dugout.url}/player/${await idOf(KID.email)}`
  const unseen = async () => {
    await scout.goto(kidProfile)
    await expect(scout.getByText('This profile is private or does not exist.')).toBeVisible()
  }
  const seen = async () => {
    await scout.goto(kidProfile)
    await expect(scout.getByRole('heading', { level: 1, name: KID.name })).toBeVisible()
  }
  await unseen()

  await test.step('it invites a guardian, by a wrong address first', async () => {
    await kid.goto(dugout.url)
    const finish = card(kid, 'Finish your profile')
    await finish.getByRole('button', { name: 'Invite' }).click()
    await expect(finish.getByText('Please enter a complete address.')).toBeVisible()
    await finish.getByLabel(/^Email of/).fill('lena@clbu.test')
    await finish.getByRole('button', { name: 'Invite' }).click()
    await finish.getByRole('button', { name: 'Withdraw the invitation of lena@clbu.test' }).click()
    await expect(finish.getByRole('listitem')).toHaveCount(0)
    await finish.getByLabel(/^Email of/).fill(MUM.email)
    await finish.getByRole('button', { name: 'Invite' }).click()
    await expect(finish.getByRole('listitem').filter({ hasText: MUM.email })).toContainText('not answered yet')
    await review(kid, 'home-child')
  })

  await test.step('the guardian comes by a referral link, which counts with the first session (section 4)', async () => {
    const [row] = await dugout.query<{ code: string }>(
      'select code from public.referral_codes order by owner_id limit 1',
    )
    const signUps = () =>
      dugout.query(
        `select referral_code, conversions from public.referral_analytics join public.referral_codes on code = referral_code
         where action = 'signup' and converted_user_id = $1`,
        [mumId],
      )
    const saved = () => mum.evaluate(() => localStorage.getItem('referralCode'))
    await mum.goto(`${dugout.url}/?ref=${row?.code ?? ''}`)
    await expect.poll(saved).toBe(row?.code)
    await signUpByMail(mum, MUM)
    const mumId = await idOf(MUM.email)
    expect(await saved()).toBe(row?.code)
    expect(await signUps()).toEqual([])
    const [before] = await dugout.query<{ conversions: number }>(
      'select conversions from public.referral_codes where code = $1',
      [row?.code],
    )
    await confirmByMail(mum, MUM)
    const once = [{ referral_code: row?.code, conversions: (before?.conversions ?? 0) + 1 }]
    await expect.poll(signUps).toEqual(once)
    expect(await saved()).toBeNull()
    await mum.reload()
    await expect(card(mum, 'You are asked to be a guardian')).toBeVisible()
    expect(await signUps()).toEqual(once)
  })

  await test.step('who has not said the own age cannot accept; a grown-up can', async () => {
    const asked = card(mum, 'You are asked to be a guardian')
    // The name is a stranger's text: only an adult reads it.
    await expect(asked).toContainText('A player')
    await asked.getByRole('button', { name: 'Accept a player' }).click()
    await expect(asked.getByRole('alert')).toHaveText('Tell us your birth date first. A guardian is an adult.')
    await expectAccessible(mum)
    await answerBirthDate(mum, yearsAgo(41))
    await asked.getByRole('button', { name: `Accept ${KID.name}` }).click()
    await expect(asked).toHaveCount(0)
    await expect(card(mum, 'In your care')).toContainText('12 years old. The team and its families see the profile.')
    await expectToFit(mum)
    await kid.reload()
    await expect(card(kid, 'Your guardian')).toContainText('Your guardian since')
    await unseen()
  })

  await test.step('the guardian adds to the profile, and hides it', async () => {
    await card(mum, 'In your care')
      .getByRole('link', { name: `Manage ${KID.name}` })
      .click()
    await expect(mum.getByRole('heading', { level: 1, name: KID.name })).toBeVisible()
    await mum.getByRole('button', { name: 'Add video' }).click()
    await mum.getByLabel('Title').fill('Bunting')
    await mum.getByLabel('Link').fill('https://video.example/1')
    await mum.getByRole('button', { name: 'Save' }).click()
    await expect(mum.getByRole('link', { name: 'Bunting' })).toBeVisible()
    const care = card(mum, 'In your care')
    await care.getByLabel('Who else may open the profile').selectOption('verified')
    await expect(care).toContainText('Verified coaches and scouts can open it if they have its link')
    await expectToFit(mum)
    await seen()
    await care.getByRole('switch', { name: `Show the profile of ${KID.name}` }).click()
    await expect(care).toContainText('You have hidden the profile from others.')
    await review(mum, 'ward')
    await unseen()
    await kid.reload()
    await expect(card(kid, 'Your guardian')).toContainText('A guardian has hidden your profile.')
  })

  await test.step('puts the birth date right, which makes 13, and takes the data along', async () => {
    const care = card(mum, 'In your care')
    await care.getByRole('button', { name: 'Correct the birth date' }).click()
    const dialog = mum.getByRole('dialog')
    await dialog.getByLabel('Birth date').fill(yearsAgo(19))
    await expect(dialog.getByRole('status')).toContainText('is 18 or older and has no guardian')
    await dialog.getByLabel('Birth date').fill(yearsAgo(13, 1))
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const question = mum.getByRole('alertdialog')
    await expect(question).toContainText(`That makes ${KID.name} 13 years old.`)
    await question.getByRole('button', { name: 'Change' }).click()
    // Nothing is saved before the answer.
    await expect(dialog.getByRole('alert')).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await question.getByRole('button', { name: 'Yes, save' }).click()
    await expect(dialog.getByRole('alert')).toContainText('You can correct this birth date to a later one only')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    // As an admin clears what was told.
    await dugout.query(
      `with cleared as (delete from public.birth_dates where user_id = $1 returning user_id)
       insert into public.audit_log (action, subject_id) select 'birth_date_cleared', user_id from cleared`,
      [await idOf(KID.email)],
    )
    await mum.reload()
    await care.getByRole('button', { name: 'Correct the birth date' }).click()
    await dialog.getByLabel('Birth date').fill(yearsAgo(13, 1))
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await question.getByRole('button', { name: 'Yes, save' }).click()
    await expect(care).toContainText('(13)')
    await care.getByRole('switch').click()
    await expect(care).toContainText('Everybody can see the profile.')
    await seen()

    const saved = mum.waitForEvent('download')
    await care.getByRole('button', { name: 'Download the data' }).click()
    const zip = await saved
    expect(zip.suggestedFilename()).toBe('dugout-remy-vega.zip')
    const files = unzipSync(readFileSync(await zip.path()))
    expect(strFromU8(files['videos.json'] ?? new Uint8Array())).toContain('https://video.example/1')
    await care.getByRole('button', { name: 'End the guardianship' }).click()
    await expect(mum.getByRole('alertdialog')).toContainText('The profile stays as it is.')
    await mum.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('and deletes the account, with the password where the sign-in is old', async () => {
    await dugout.query("update auth.sessions set created_at = now() - interval '1 hour' where user_id = $1", [
      await idOf(MUM.email),
    ])
    await dugout.query(
      `update auth.mfa_amr_claims set updated_at = now() - interval '1 hour'
       where session_id in (select id from auth.sessions where user_id = $1)`,
      [await idOf(MUM.email)],
    )
    await card(mum, 'In your care').getByRole('button', { name: 'Delete the account' }).click()
    await mum.getByLabel('Type DELETE to go on').fill('DELETE')
    await mum.getByRole('button', { name: 'Delete account' }).click()
    const confirm = mum.getByRole('dialog', { name: 'Confirm that it is you' })
    await confirm.getByLabel('Password').fill(PASSWORD)
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await expect(toast(mum, `The account of ${KID.name} is deleted`)).toBeVisible()
    await expect(card(mum, 'In your care')).toHaveCount(0)
    expect(await idOf(KID.email)).toBe('')
    await unseen()
  })
  expect(problems).toEqual([])
  expect(problemsOfMum).toEqual([])
})

test('who is 13 may have a guardian, who proves the mailbox, declines, accepts and leaves', async ({
  page: teen,
  browser,
}) => {
  const problems = watchConsole(teen, '/user/oauth/grants')
  const adult = await newPage(browser)
  const problemsOfAdult = watchConsole(adult, '/user/oauth/grants')
  await signIn(teen, dugout.url, 'player@dugout.test', SEED_PASSWORD)
  await expect(teen).toHaveURL(`${dugout.url}/`)
  const name =
    (
      await dugout.query<{ full_name: string }>("select full_name from public.users where email = 'player@dugout.test'")
    )[0]?.full_name ?? ''
  const invite = async () => {
    await teen.goto(`${dugout.url}/settings`)
    await card(teen, 'Your guardian')
      .getByLabel(/^Email of/)
      .fill('fan@dugout.test')
    await card(teen, 'Your guardian').getByRole('button', { name: 'Invite' }).click()
    await expect(card(teen, 'Your guardian')).toContainText('not answered yet')
  }
  await invite()
  await expectAccessible(teen)

  await test.step('an invitation shows once a letter was answered', async () => {
    // The seed's people have never answered one.
    await signIn(adult, dugout.url, 'fan@dugout.test', SEED_PASSWORD)
    await expect(card(adult, 'Following')).toBeVisible()
    await expect(card(adult, 'You are asked to be a guardian')).toHaveCount(0)
    await adult.goto(`${dugout.url}/settings`)
    await card(adult, 'Guardian of a minor').getByRole('button', { name: 'Mail me a link' }).click()
    await expect(adult.getByText('The link is on its way.')).toBeVisible()
    await adult.goto(await dugout.mailedLink('fan@dugout.test'))
    await expect(card(adult, 'You are asked to be a guardian')).toContainText(name)
  })

  await test.step('it is declined, and another one accepted', async () => {
    await adult.getByRole('button', { name: `Decline ${name}` }).click()
    await expect(card(adult, 'You are asked to be a guardian')).toHaveCount(0)
    await teen.reload()
    await expect(card(teen, 'Your guardian')).toContainText('Declined')
    await invite()
    await adult.reload()
    await adult.getByRole('button', { name: `Accept ${name}` }).click()
    await expect(card(adult, 'In your care')).toContainText(name)
  })

  await test.step('from 13 on the end of a guardianship leaves the profile as it is', async () => {
    await card(adult, 'In your care')
      .getByRole('link', { name: `Manage ${name}` })
      .click()
    await adult.getByRole('button', { name: 'End the guardianship' }).click()
    const dialog = adult.getByRole('alertdialog')
    await expect(dialog).toContainText('The profile stays as it is.')
    await dialog.getByRole('button', { name: 'End the guardianship' }).click()
    await expect(adult).toHaveURL(`${dugout.url}/`)
    await expect(card(adult, 'In your care')).toHaveCount(0)
    await teen.goto(dugout.url)
    await teen.getByRole('button', { name: 'Open menu' }).click()
    await expect(teen.getByRole('dialog').getByText(/ · Public · /)).toBeVisible()
  })
  expect(problems).toEqual([])
  expect(problemsOfAdult).toEqual([])
})
