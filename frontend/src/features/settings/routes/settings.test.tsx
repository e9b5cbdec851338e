import type { Session } from '@supabase/supabase-js'
import { screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import SettingsScreen from '@/features/settings/routes/settings'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'
import { toastStore } from '@/ui/toast/toast-state'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const session = { access_token: 'token', user: { id: 'id-1', email: 'ana@x.test' } } as Session
const app = {
  id: 'f1',
  friendly_name: 'My app',
  factor_type: 'totp',
  status: 'verified',
  created_at: '2026-11-20T10:00:00Z',
}
const passkey = { id: 'p1', friendly_name: 'Phone', created_at: '2026-11-19T10:00:00Z', last_used_at: null }
const failure = (code: string, message = 'x') => ({ data: null, error: Object.assign(new Error(message), { code }) })

const SESSIONS = [
  {
    id: 's1',
    user_agent: 'Chrome/150.0 Linux',
    ip: '192.0.2.1',
    last_used_at: '2026-11-21T10:00:00Z',
    is_current: true,
  },
  { id: 's2', user_agent: 'Firefox/150.0 Windows', ip: null, last_used_at: '2026-11-20T10:00:00Z', is_current: false },
]
const GRANT = { client: { id: 'c1', name: 'Scorebook' }, scopes: ['openid'], granted_at: '2026-11-20T10:00:00Z' }

async function open(known: Session | null = session) {
  const person = renderRoutes([{ path: '/', element: <SettingsScreen /> }], '/', (page) => (
    <SessionProvider>{page}</SessionProvider>
  ))
  await fake.say('INITIAL_SESSION', known)
  // The lower half of the screen is loaded apart.
  if (known) await screen.findByRole('region', { name: 'Your data' })
  return person
}

beforeEach(() => {
  fake.reset()
  fake.answers = {
    users: { data: { full_name: 'Ana Ruiz', public_profile: true } },
    profile_visibility: { data: 'birth_date_missing' },
    my_sessions: { data: SESSIONS },
    notification_preferences: { data: [{ topic: 'recruiting', channel: 'email', enabled: false }] },
  }
  fake.oauth.listGrants.mockResolvedValue({ data: [GRANT], error: null })
  fake.mfa.listFactors.mockResolvedValue({ data: { all: [] }, error: null })
  fake.passkey.list.mockResolvedValue({ data: [], error: null })
  vi.stubGlobal('PublicKeyCredential', vi.fn())
})
afterEach(() => vi.unstubAllGlobals())

const factors = () => within(screen.getByRole('region', { name: 'Two-step sign-in' }))
const passkeys = () => within(screen.getByRole('region', { name: 'Passkeys' }))

test('empty lists say what to do, and unverified factors are not shown', async () => {
  fake.mfa.listFactors.mockResolvedValue({ data: { all: [{ ...app, status: 'unverified' }] }, error: null })
  await open()
  expect(await factors().findByText(/Two-step sign-in is off/)).toBeTruthy()
  expect(await passkeys().findByText('You have no passkey yet.')).toBeTruthy()
})

test('a list that cannot be loaded can be asked for again', async () => {
  fake.mfa.listFactors.mockResolvedValueOnce(failure('unexpected_failure', 'The dog ate it.'))
  const person = await open()
  expect((await factors().findByRole('alert')).textContent).toContain('The dog ate it.')
  fake.mfa.listFactors.mockResolvedValue({ data: { all: [app] }, error: null })
  await person.click(factors().getByRole('button', { name: 'Try again' }))
  expect(await factors().findByText('My app')).toBeTruthy()
})

test('a server or a browser without passkeys offers none', async () => {
  fake.passkey.list.mockResolvedValue(failure('passkey_disabled'))
  vi.unstubAllGlobals()
  await open()
  expect(await passkeys().findByText('Passkeys are switched off on this server.')).toBeTruthy()
  expect(passkeys().queryByRole('button', { name: 'Add passkey' })).toBeNull()
  expect(factors().queryByRole('button', { name: 'Add security key' })).toBeNull()
})

describe('an authenticator app', () => {
  const totp = { qr_code: 'data:image/svg+xml;utf-8,<svg/>', secret: 'ABCDEFGH', uri: '' }

  async function scan() {
    fake.mfa.enroll.mockResolvedValue({ data: { id: 'f9', totp }, error: null })
    fake.mfa.listFactors.mockResolvedValue({
      data: { all: [{ ...app, friendly_name: 'Authenticator app' }] },
      error: null,
    })
    const person = await open()
    await person.click(await factors().findByRole('button', { name: 'Add authenticator app' }))
    await person.click(screen.getByRole('button', { name: 'Continue' }))
    expect(fake.mfa.enroll).toHaveBeenCalledWith({ factorType: 'totp', friendlyName: 'Authenticator app 2' })
    expect((await screen.findByRole('img', { name: /QR code/ })).getAttribute('src')).toBe(totp.qr_code)
    expect(screen.getByText('ABCD EFGH')).toBeTruthy()
    return person
  }

  test('is scanned and proven', async () => {
    const person = await scan()
    await person.type(screen.getByLabelText('Code'), '12345')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    expect((await screen.findByRole('alert')).textContent).toBe('The code is 6 digits.')
    expect(fake.mfa.challengeAndVerify).not.toHaveBeenCalled()
    fake.mfa.challengeAndVerify.mockResolvedValueOnce(failure('mfa_verification_failed'))
    await person.type(screen.getByLabelText('Code'), '6')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('That code is not right'))
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Code')))
    fake.mfa.challengeAndVerify.mockResolvedValue({ data: {}, error: null })
    await person.type(screen.getByLabelText('Code'), '654321')
    await person.click(screen.getByRole('button', { name: 'Turn on' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(fake.mfa.challengeAndVerify).toHaveBeenLastCalledWith({ factorId: 'f9', code: '654321' })
    expect(toastStore.read()[0]?.title).toBe('Two-step sign-in is on')
    expect(fake.mfa.unenroll).not.toHaveBeenCalled()
  })

  test('is forgotten when its dialog is closed half way', async () => {
    fake.mfa.unenroll.mockResolvedValue({ data: {}, error: null })
    const person = await scan()
    await person.keyboard('{Escape}')
    expect(fake.mfa.unenroll).toHaveBeenCalledExactlyOnceWith({ factorId: 'f9' })
  })
})

test('a factor is removed after a question, and the session learns of it', async () => {
  fake.mfa.listFactors.mockResolvedValue({ data: { all: [app] }, error: null })
  fake.mfa.unenroll.mockResolvedValue({ data: {}, error: null })
  const person = await open()
  await person.click(await factors().findByRole('button', { name: 'Remove My app' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Remove My app?' }))
  expect(dialog.getByText('It is the only one: two-step sign-in will be off.')).toBeTruthy()
  await person.click(dialog.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
  expect(fake.mfa.unenroll).toHaveBeenCalledWith({ factorId: 'f1' })
  expect(fake.auth.refreshSession).toHaveBeenCalledOnce()
})

test('a security key that nobody touches is not added', async () => {
  const error = Object.assign(new Error('x'), { name: 'NotAllowedError' })
  fake.key.register.mockResolvedValue({ data: null, error })
  const person = await open()
  await person.click(await factors().findByRole('button', { name: 'Add security key' }))
  await person.click(screen.getByRole('button', { name: 'Register key' }))
  expect((await screen.findByText(/Nothing was registered/)).getAttribute('role')).toBe('alert')
  expect(fake.key.register).toHaveBeenCalledWith({ friendlyName: 'Security key' })
})

test('passkeys are added, renamed and removed', async () => {
  fake.passkey.list.mockResolvedValue({ data: [passkey], error: null })
  fake.auth.registerPasskey.mockResolvedValueOnce(failure('too_many_passkeys'))
  const person = await open()
  await person.click(await passkeys().findByRole('button', { name: 'Add passkey' }))
  await waitFor(() => expect(toastStore.read()[0]?.description).toContain('Remove one first'))
  fake.auth.registerPasskey.mockResolvedValue({ data: {}, error: null })
  await person.click(passkeys().getByRole('button', { name: 'Add passkey' }))
  await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Passkey added'))

  fake.passkey.update.mockResolvedValue({ data: {}, error: null })
  await person.click(passkeys().getByRole('button', { name: 'Rename Phone' }))
  await person.clear(screen.getByRole('textbox', { name: 'Name' }))
  await person.click(screen.getByRole('button', { name: 'Rename' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Please give it a name.')
  await person.type(screen.getByRole('textbox', { name: 'Name' }), 'Old phone')
  await person.click(screen.getByRole('button', { name: 'Rename' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(fake.passkey.update).toHaveBeenCalledWith({ passkeyId: 'p1', friendlyName: 'Old phone' })

  fake.passkey.delete.mockResolvedValue({ error: null })
  await person.click(passkeys().getByRole('button', { name: 'Remove Phone' }))
  await person.click(screen.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(fake.passkey.delete).toHaveBeenCalledWith({ passkeyId: 'p1' }))
})

const part = (name: string) => within(screen.getByRole('region', { name }))

describe('who one is and who may see it', () => {
  test('the name is kept apart from the rest, with its problem next to the field', async () => {
    const person = await open()
    const name = await part('Profile').findByLabelText('Full name')
    await person.clear(name)
    await person.click(part('Profile').getByRole('button', { name: 'Save' }))
    expect((await part('Profile').findByRole('alert')).textContent).toBe('Full name is required')
    await person.type(name, 'Ana M. Ruiz')
    await person.click(part('Profile').getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(fake.calls).toContainEqual(['users', 'update', { full_name: 'Ana M. Ruiz' }]))
  })

  test('privacy says why nobody sees the profile, and is switched', async () => {
    const person = await open()
    expect(await part('Privacy').findByText(/until you have given your birth date/)).toBeTruthy()
    await person.click(part('Privacy').getByRole('switch', { name: 'Public profile' }))
    await waitFor(() => expect(fake.calls).toContainEqual(['users', 'update', { public_profile: false }]))
  })

  test('a message without a row is wanted', async () => {
    const person = await open()
    const mails = await part('Notification settings').findByRole('switch', { name: 'Recruiting: By e-mail' })
    expect(mails.getAttribute('aria-checked')).toBe('false')
    expect(screen.getByRole('switch', { name: 'Recruiting: In the app' }).getAttribute('aria-checked')).toBe('true')
    await person.click(mails)
    const row = { user_id: 'id-1', topic: 'recruiting', channel: 'email', enabled: true }
    await waitFor(() => expect(fake.calls).toContainEqual(['notification_preferences', 'upsert', row]))
  })

  // Issue 10, C10.
  test.each(['Team and schedule: By e-mail', 'Security of your account: By e-mail', 'News: In the app'])(
    'the switch of what is not sent yet is off and says so: %s',
    async (name) => {
      await open()
      const still = await part('Notification settings').findByRole('switch', { name, description: 'Coming soon' })
      expect(still.getAttribute('aria-checked')).toBe('false')
      expect(still.hasAttribute('disabled')).toBe(true)
    },
  )
})

describe('sessions', () => {
  const refuse = () => (fake.answers.sign_out_session = { error: Object.assign(new Error('old'), { code: '28000' }) })

  test('one is signed out once the password has shown who asks', async () => {
    refuse()
    fake.auth.getSession.mockResolvedValue({ data: { session: null } })
    fake.auth.signInWithPassword.mockImplementation(() => {
      delete fake.answers.sign_out_session
      return Promise.resolve({ error: null })
    })
    const person = await open()
    expect(await part('Sessions').findByText(/This session/)).toBeTruthy()
    await person.click(part('Sessions').getByRole('button', { name: 'Sign out Firefox on Windows' }))
    await person.type(within(await screen.findByRole('dialog')).getByLabelText('Password'), 'secret')
    await person.click(screen.getByRole('button', { name: 'Confirm' }))
    await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Signed out'))
    expect(fake.auth.signInWithPassword).toHaveBeenCalledWith({ email: 'ana@x.test', password: 'secret' })
    expect(fake.calls.filter(([, name]) => name === 'sign_out_session')).toHaveLength(2)
  })

  test('not confirmed is not done', async () => {
    refuse()
    const person = await open()
    await person.click(await part('Sessions').findByRole('button', { name: 'Sign out Firefox on Windows' }))
    await person.click(await screen.findByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Not signed out'))
    expect(fake.calls.filter(([, name]) => name === 'sign_out_session')).toHaveLength(1)
  })

  test('all others at once', async () => {
    fake.auth.signOut.mockResolvedValue({ error: null })
    const person = await open()
    await person.click(await part('Sessions').findByRole('button', { name: 'Sign out everywhere else' }))
    expect(fake.auth.signOut).toHaveBeenCalledWith({ scope: 'others' })
  })
})

test('the password is changed by the rules of sign-up, with a code where the server wants one', async () => {
  fake.auth.updateUser.mockResolvedValueOnce({
    error: Object.assign(new Error('x'), { code: 'reauthentication_needed' }),
  })
  fake.auth.updateUser.mockResolvedValueOnce({ error: null })
  fake.auth.reauthenticate.mockResolvedValue({ error: null })
  const person = await open()
  const card = part('Password')
  await person.type(card.getByLabelText('New password'), 'secret1')
  await person.type(card.getByLabelText('Confirm new password'), 'secret2')
  await person.click(card.getByRole('button', { name: 'Change password' }))
  expect((await card.findByRole('alert')).textContent).toBe('Passwords do not match')
  await person.clear(card.getByLabelText('Confirm new password'))
  await person.type(card.getByLabelText('Confirm new password'), 'secret1')
  await person.click(card.getByRole('button', { name: 'Change password' }))
  await person.type(await card.findByLabelText('Code from the e-mail'), '123456')
  expect(fake.auth.reauthenticate).toHaveBeenCalledOnce()
  await person.click(card.getByRole('button', { name: 'Change password' }))
  await waitFor(() => expect(fake.auth.updateUser).toHaveBeenLastCalledWith({ password: 'secret1', nonce: '123456' }))
})

test('an app loses its access after a question', async () => {
  fake.oauth.revokeGrant.mockResolvedValue({ error: null })
  const person = await open()
  expect(fake.oauth.listGrants).not.toHaveBeenCalled()
  await person.click(part('Connected apps').getByRole('button', { name: 'Show connected apps' }))
  await person.click(await part('Connected apps').findByRole('button', { name: 'Remove Scorebook' }))
  await person.click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }))
  expect(fake.oauth.revokeGrant).toHaveBeenCalledWith({ clientId: 'c1' })
})

test('the account goes only after the word was typed, and the browser is emptied', async () => {
  fake.auth.signOut.mockResolvedValue({ error: null })
  const person = await open()
  await person.click(part('Your data').getByRole('button', { name: 'Delete my account' }))
  const dialog = within(screen.getByRole('alertdialog'))
  expect(dialog.getByRole('button', { name: 'Delete account' })).toHaveProperty('disabled', true)
  await person.type(dialog.getByLabelText(/Type DELETE/), 'DELETE')
  localStorage.setItem('notifications', '[]')
  await person.click(dialog.getByRole('button', { name: 'Delete account' }))
  await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Your account is deleted'))
  expect(fake.calls.at(-1)).toEqual(['rpc', 'delete_account', { ward_id: undefined }])
  expect(localStorage.length).toBe(0)
})
