import { AxeBuilder } from '@axe-core/playwright'
import { expect, test, type CDPSession, type Page } from '@playwright/test'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Dugout } from './dugout.ts'
import { nextTotp, totp } from './authenticator.ts'

const PASSWORD = 'double-play-1'
/** Where screenshots go that somebody wants to look at; nowhere unless told. */
const SCREENSHOTS = process.env.SCREENSHOTS

let dugout: Dugout
/** Authenticators know names, not addresses. */
let url: string

/** What was sent to phones; stands in for Twilio. */
const messages: URLSearchParams[] = []
const twilio = createServer((request, answer) => {
  let body = ''
  request.on('data', (part) => (body += String(part)))
  request.on('end', () => {
    messages.push(new URLSearchParams(body))
    answer.writeHead(201, { 'Content-Type': 'application/json' }).end('{"sid":"SM1","status":"queued"}')
  })
})

test.beforeAll(async () => {
  await new Promise<void>((listening) => twilio.listen(0, '127.0.0.1', listening))
  const { port } = twilio.address() as AddressInfo
  dugout = await Dugout.start({
    variables: {
      GOTRUE_MFA_PHONE_ENROLL_ENABLED: 'true',
      GOTRUE_MFA_PHONE_VERIFY_ENABLED: 'true',
      GOTRUE_MFA_PHONE_MAX_FREQUENCY: '1ms',
      GOTRUE_SMS_PROVIDER: 'twilio',
      GOTRUE_SMS_TWILIO_ACCOUNT_SID: 'AC1',
      GOTRUE_SMS_TWILIO_AUTH_TOKEN: 'secret',
      GOTRUE_SMS_TWILIO_MESSAGE_SERVICE_SID: 'MG1',
      GOTRUE_SMS_API_URL: `http://127.0.0.1:${port}`,
    },
  })
  url = dugout.url.replace('127.0.0.1', 'localhost')
})
test.afterAll(async () => {
  await dugout.stop()
  twilio.close()
})

test('an authenticator app is added, asked for, and removed', async ({ page }) => {
  const ana = await signUp(page, 'Ana Ruiz', 'ana@club.test')
  await page.goto(`${url}/settings`)
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
  await expectAccessible(page)
  await show(page, 'settings-empty')

  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  const picture = page.getByRole('img', { name: 'QR code' })
  await expect(picture).toBeVisible()
  expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(100)
  await expectAccessible(page)
  await show(page, 'settings-qr')
  const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Code').fill('000000')
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('alert')).toContainText('That code is not right')
  await page.getByLabel('Code').fill(totp(secret))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page.getByRole('listitem').filter({ hasText: 'Authenticator app' }).first()).toBeVisible()
  await show(page, 'settings-factor')

  await test.step('signing in stops at the second step, and a reload does not get around it', async () => {
    await signOut(page)
    await signIn(page, ana)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await expectAccessible(page)
    await show(page, 'second-step')
    await page.goto(`${url}/settings`)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await page.getByLabel('Code of Authenticator app').fill('123')
    await page.keyboard.press('Enter')
    await expect(page.getByText('The code is 6 digits.')).toBeVisible()
    await page.getByLabel('Code of Authenticator app').fill(await nextTotp(secret))
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: 'Settings', exact: true })).toBeVisible()
  })

  await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('two-step sign-in will be off')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Two-step sign-in is off.')).toBeVisible()
  await signOut(page)
  await signIn(page, ana)
  await expect(page.getByRole('heading', { level: 1, name: 'Ana' })).toBeVisible()
  const levels = await dugout.query<{ aal: string }>('select aal from auth.sessions where user_id = $1', [ana.id])
  expect(levels).toEqual([{ aal: 'aal1' }])
})

test('a security key is the second factor', async ({ page }) => {
  const key = await authenticator(page, 'usb')
  const bo = await signUp(page, 'Bo Diaz', 'bo@club.test')
  await page.goto(`${url}/settings`)
  await page.getByRole('button', { name: 'Add security key' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Blue key')
  await page.getByRole('button', { name: 'Register key' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Blue key' })).toBeVisible()
  const [factor] = await dugout.query<{ status: string; web_authn_credential: unknown }>(
    'select status, web_authn_credential from auth.mfa_factors where user_id = $1',
    [bo.id],
  )
  expect(factor).toMatchObject({ status: 'verified', web_authn_credential: { attestationType: expect.any(String) } })

  await signOut(page)
  await signIn(page, bo)
  await expect(page.getByText('Have Blue key at hand')).toBeVisible()
  await page.getByRole('button', { name: 'Use security key' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Bo' })).toBeVisible()
  const methods = await dugout.query<{ authentication_method: string }>(
    'select authentication_method from auth.mfa_amr_claims c join auth.sessions s on s.id = c.session_id where s.user_id = $1 order by 1',
    [bo.id],
  )
  expect(methods.map((row) => row.authentication_method)).toEqual(['mfa/webauthn', 'password'])

  await test.step('another key does not open the door', async () => {
    await signOut(page)
    await key.remove()
    const other = await authenticator(page, 'usb')
    await signIn(page, bo)
    await page.getByRole('button', { name: 'Use security key' }).click()
    await expect(page.getByRole('alert')).toContainText('No security key was used')
    await other.remove()
  })
})

test('a passkey signs in without a password', async ({ page }) => {
  const device = await authenticator(page, 'internal')
  const cy = await signUp(page, 'Cy Young', 'cy@club.test')
  await page.goto(`${url}/settings`)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(toast(page, 'Passkey added')).toBeVisible()
  await page.getByRole('button', { name: /^Rename / }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'My laptop' })).toContainText('not used yet')
  await expectAccessible(page)
  await show(page, 'settings-passkey')
  // The same device again is told that it is known.
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await expect(toast(page, 'No passkey added')).toContainText('registered here already')

  await signOut(page)
  await page.goto(`${url}/signin`)
  await expectAccessible(page)
  await show(page, 'sign-in')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Cy' })).toBeVisible()
  await expect(toast(page, 'Welcome back!')).toBeVisible()
  const methods = await dugout.query<{ authentication_method: string }>(
    'select authentication_method from auth.mfa_amr_claims c join auth.sessions s on s.id = c.session_id where s.user_id = $1',
    [cy.id],
  )
  expect(methods).toEqual([{ authentication_method: 'passkey' }])

  await test.step('a passkey that was removed signs nobody in', async () => {
    await page.goto(`${url}/settings`)
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await expect(page.getByText('You have no passkey yet.')).toBeVisible()
    await signOut(page)
    await page.goto(`${url}/signin`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await expect(toast(page, 'Sign in failed')).toContainText('This passkey is not known here')
  })
  await device.remove()
})

test('a phone is the second factor', async ({ page }) => {
  const eve = await signUp(page, 'Eve Lane', 'eve@club.test')
  await page.goto(`${url}/settings`)
  await page.getByRole('button', { name: 'Add phone' }).click()
  await page.getByLabel('Phone number').fill('555 0104')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('Please enter the number with its country code')).toBeVisible()
  await page.getByLabel('Phone number').fill('+1 (555) 010-4477')
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByText('We have sent a code to +15550104477.')).toBeVisible()
  expect(messages.at(-1)?.get('To')).toBe('+15550104477')
  await expectAccessible(page)
  await show(page, 'settings-phone')
  await page.getByLabel('Code').fill(wrong(lastCode()))
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('alert')).toContainText('That code is not right')
  await page.getByRole('button', { name: 'Send a new code' }).click()
  await expect(page.getByText('A new code is on its way.')).toBeVisible()
  await page.getByLabel('Code').fill(lastCode())
  await page.getByRole('button', { name: 'Turn on' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Phone ending in 4477' }).first()).toBeVisible()

  await signOut(page)
  await signIn(page, eve)
  await expect(page.getByText('We send a code to Phone ending in 4477.')).toBeVisible()
  await expectAccessible(page)
  await show(page, 'second-step-phone')
  await page.getByRole('button', { name: 'Send code' }).click()
  const code = page.getByLabel('Code of Phone ending in 4477')
  await code.fill(wrong(lastCode()))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toContainText('Enter the one of the latest message.')
  await code.fill(lastCode())
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Eve' })).toBeVisible()
  const methods = await dugout.query<{ authentication_method: string }>(
    'select authentication_method from auth.mfa_amr_claims c join auth.sessions s on s.id = c.session_id where s.user_id = $1 order by 1',
    [eve.id],
  )
  expect(methods.map((row) => row.authentication_method)).toEqual(['mfa/phone', 'password'])
})

/** The code of the latest message to a phone. */
const lastCode = () => /\d{6}/.exec(messages.at(-1)?.get('Body') ?? '')?.[0] ?? ''
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')

test.describe('on a phone 360 pixels wide', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('nothing is cut off', async ({ page }) => {
    const dee = await signUp(page, 'Dee Gordon-With-A-Long-Name', 'dee.gordon.with.a.long.address@baseball-club.test')
    await page.goto(`${url}/settings`)
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await expect(page.getByRole('img', { name: 'QR code' })).toBeVisible()
    await expectToFit(page)
    await show(page, 'phone-qr')
    const secret = ((await page.locator('code').textContent()) ?? '').replaceAll(' ', '')
    await page.getByLabel('Code').fill(totp(secret))
    await page.getByRole('button', { name: 'Turn on' }).click()
    await expect(page.getByRole('button', { name: 'Remove Authenticator app' })).toBeVisible()
    await expectToFit(page)
    await show(page, 'phone-settings')
    await signOut(page)
    await signIn(page, dee)
    await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible()
    await expectToFit(page)
    await show(page, 'phone-second-step')
    await page.getByRole('button', { name: 'Sign in as somebody else' }).click()
    await expect(page.getByRole('tab', { name: 'Sign In' })).toBeVisible()
  })
})

type Person = { id: string; email: string }

async function signUp(page: Page, name: string, email: string): Promise<Person> {
  await page.goto(`${url}/signin`)
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page.getByRole('heading', { level: 1, name: name.split(' ')[0] })).toBeVisible()
  const [row] = await dugout.query<{ id: string }>('select id from auth.users where email = $1', [email])
  return { id: row?.id ?? '', email }
}

async function signIn(page: Page, { email }: Person) {
  await page.goto(`${url}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: 'Open menu' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Logout' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Logout' }).click()
  await expect(page.getByRole('link', { name: 'Join Free Today' })).toBeVisible()
}

/** An authenticator of Chromium's own: a key that is plugged in, or the device itself. */
async function authenticator(page: Page, transport: 'usb' | 'internal') {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport,
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    remove: () => session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined),
  }
}

const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Notifications' }).getByRole('listitem').filter({ hasText: text })

async function show(page: Page, name: string) {
  if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
}

async function expectToFit(page: Page) {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBe(0)
}

async function expectAccessible(page: Page) {
  // Not what is shown while the page's code is on its way.
  await expect(page.getByRole('heading').first()).toBeVisible()
  // Half faded in, everything has too little contrast.
  await page.evaluate(() => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
    return Promise.allSettled(ending.map((animation) => animation.finished))
  })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`)).toEqual([])
}
