import type { Session } from '@supabase/supabase-js'
import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import SecondFactorScreen from '@/features/auth/routes/second-factor'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'
import { toastStore } from '@/ui/toast/toast-state'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const app = { id: 'f1', friendly_name: 'My app', factor_type: 'totp', status: 'verified' }
const key = { id: 'f2', friendly_name: '', factor_type: 'webauthn', status: 'verified' }

async function open(...factors: object[]) {
  fake.auth.onAuthStateChange.mockReturnValue({ data: { subscription: { unsubscribe: () => undefined } } })
  const session = { user: { email: 'ana@x.test', factors } } as unknown as Session
  const person = renderRoutes([{ path: '/', element: <SecondFactorScreen session={session} /> }], '/', (page) => (
    <SessionProvider>{page}</SessionProvider>
  ))
  await act(() => Promise.resolve())
  return person
}

beforeEach(() => fake.reset())

test('a code lets its owner in, a wrong one says so', async () => {
  const person = await open(app, { ...key, status: 'unverified' })
  const code = screen.getByLabelText('Code of My app')
  expect(document.activeElement).toBe(code)
  expect(screen.queryByLabelText('Second factor')).toBeNull()
  await person.type(code, '12{Enter}')
  expect((await screen.findByText('The code is 6 digits.')).getAttribute('role')).toBe('alert')
  const error = Object.assign(new Error('x'), { code: 'mfa_verification_failed' })
  fake.mfa.challengeAndVerify.mockResolvedValueOnce({ data: null, error })
  await person.type(code, '3456{Enter}')
  expect(await screen.findByText(/That code is not right/)).toBeTruthy()
  expect(code).toHaveProperty('value', '')
  fake.mfa.challengeAndVerify.mockResolvedValue({ data: {}, error: null })
  await person.type(code, '654321{Enter}')
  await waitFor(() => expect(toastStore.read()[0]?.title).toBe('Welcome back!'))
  expect(fake.mfa.challengeAndVerify).toHaveBeenLastCalledWith({ factorId: 'f1', code: '654321' })
})

test('who has several chooses one', async () => {
  const person = await open(app, key)
  await person.selectOptions(screen.getByLabelText('Second factor'), 'your security key')
  const error = Object.assign(new Error('x'), { name: 'NotAllowedError' })
  fake.key.authenticate.mockResolvedValueOnce({ data: null, error })
  await person.click(screen.getByRole('button', { name: 'Use security key' }))
  expect(await screen.findByText('No security key was used. Please try again.')).toBeTruthy()
  fake.key.authenticate.mockResolvedValue({ data: {}, error: null })
  await person.click(screen.getByRole('button', { name: 'Use security key' }))
  await waitFor(() => expect(fake.key.authenticate).toHaveBeenLastCalledWith({ factorId: 'f2' }))
})

test('somebody else signs in instead', async () => {
  fake.auth.signOut.mockResolvedValue({ error: null })
  const person = await open(app)
  await person.click(screen.getByRole('button', { name: 'Sign in as somebody else' }))
  expect(fake.auth.signOut).toHaveBeenCalledOnce()
})
