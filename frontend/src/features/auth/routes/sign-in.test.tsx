import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import SignInScreen from '@/features/auth/routes/sign-in'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'
import { toastStore } from '@/ui/toast/toast-state'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const onSignedUp = vi.fn()
const open = () => renderRoutes([{ path: '/', element: <SignInScreen onSignedUp={onSignedUp} /> }])
const user = { id: 'id-1', email: 'ana@x.test', email_confirmed_at: '2026-05-01', identities: [{}] }
const lastToast = () => toastStore.read()[0]

beforeEach(() => {
  fake.reset()
  onSignedUp.mockReset()
})

describe('sign-in', () => {
  // Specification section 5: "Sign-in requires email and password".
  test('without credentials says what is missing, and where', async () => {
    const person = open()
    await person.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(lastToast()).toMatchObject({
      title: 'Sign in failed',
      description: 'You must provide either an email or phone number and a password',
    })
    expect(screen.getByLabelText('Email')).toHaveProperty('ariaInvalid', 'true')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(fake.auth.signInWithPassword).not.toHaveBeenCalled()
  })

  test('trims the email but not the password', async () => {
    fake.auth.signInWithPassword.mockResolvedValue({ data: {}, error: null })
    const person = open()
    await person.type(screen.getByLabelText('Email'), ' ana@x.test ')
    await person.type(screen.getByLabelText('Password'), ' secret ')
    await person.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(fake.auth.signInWithPassword).toHaveBeenCalledWith({ email: 'ana@x.test', password: ' secret ' })
    await waitFor(() => expect(lastToast()?.title).toBe('Welcome back!'))
  })

  test('a forgotten password needs an email first, and leads to /reset-password', async () => {
    fake.auth.resetPasswordForEmail.mockResolvedValue({ error: null })
    const person = open()
    await person.click(screen.getByRole('button', { name: 'Forgot Password' }))
    expect(lastToast()?.title).toBe('Please enter your email first')
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    await person.type(screen.getByLabelText('Email'), 'ana@x.test')
    await person.click(screen.getByRole('button', { name: 'Forgot Password' }))
    const redirectTo = `${window.location.origin}/reset-password`
    expect(fake.auth.resetPasswordForEmail).toHaveBeenCalledWith('ana@x.test', { redirectTo })
    await waitFor(() => expect(lastToast()?.title).toBe('Password reset email sent'))
  })
})

describe('sign-up', () => {
  const fields = { 'Full Name': 'Ana Ruiz', Email: 'ana@x.test', Password: 'secret', 'Confirm Password': 'secret' }

  // Section 5, "General signup": one problem after the other, each by a toast.
  test('reports the first problem until there is none, then creates the account', async () => {
    fake.auth.signUp.mockResolvedValue({ data: { user, session: {} }, error: null })
    localStorage.setItem('selectedMembershipTier', 'BASIC')
    const person = open()
    await person.click(screen.getByRole('tab', { name: 'Sign Up' }))
    const steps = [
      ['Full name is required', 'Full Name', fields['Full Name']],
      ['Email is required', 'Email', fields.Email],
      ['Password must be at least 6 characters', 'Password', fields.Password],
      ['Passwords do not match', 'Confirm Password', fields['Confirm Password']],
    ] as const
    for (const [message, label, text] of steps) {
      await person.click(screen.getByRole('button', { name: 'Create Account' }))
      await waitFor(() => expect(lastToast()?.title).toBe(message))
      const field = screen.getByLabelText(label)
      expect(document.activeElement).toBe(field)
      expect(document.querySelectorAll('[aria-invalid=true]')).toHaveLength(1)
      expect(field.getAttribute('aria-invalid')).toBe('true')
      await person.type(field, text)
    }
    await person.click(screen.getByRole('button', { name: 'Create Account' }))
    await waitFor(() => expect(lastToast()?.title).toBe('Account created successfully!'))
    expect(fake.auth.signUp.mock.lastCall?.[0]).toMatchObject({
      email: 'ana@x.test',
      password: 'secret',
      options: { emailRedirectTo: window.location.origin, data: { full_name: 'Ana Ruiz', role: 'player' } },
    })
    expect(fake.calls).toEqual([
      [
        'users',
        'upsert',
        {
          id: 'id-1',
          email: 'ana@x.test',
          full_name: 'Ana Ruiz',
          role: 'player',
          user_type: 'player',
          public_profile: true,
        },
        { onConflict: 'id', ignoreDuplicates: true },
      ],
    ])
    expect(onSignedUp).toHaveBeenCalledExactlyOnceWith('id-1', true)
    expect(screen.getByLabelText('Full Name')).toHaveProperty('value', '')
    expect(localStorage.getItem('selectedMembershipTier')).toBeNull()
  })

  // Section 8. With confirmation on, the server answers a duplicate with a user without identities.
  test.each([
    [{ data: {}, error: Object.assign(new Error('x'), { code: 'user_already_exists' }) }, 'Account already exists'],
    [{ data: { user: { ...user, identities: [] }, session: null }, error: null }, 'Account already exists'],
    [{ data: { user: null, session: null }, error: null }, 'Sign up failed'],
    [
      { data: { user: { ...user, email_confirmed_at: undefined }, session: null }, error: null },
      'Please check your email to confirm your registration.',
    ],
  ])('answered by %j says so', async (answer, title) => {
    fake.auth.signUp.mockResolvedValue(answer)
    const person = open()
    await person.click(screen.getByRole('tab', { name: 'Sign Up' }))
    for (const [label, text] of Object.entries(fields)) await person.type(screen.getByLabelText(label), text)
    await person.click(screen.getByRole('button', { name: 'Create Account' }))
    await waitFor(() => expect(lastToast()?.title).toBe(title))
    expect(fake.calls).toEqual([])
  })

  // Issue 10, C5: awaiting confirmation is a state, not a toast of five seconds; section 4.
  test('that has to be confirmed says where to look, sends it again, and survives a reload', async () => {
    const unconfirmed = { ...user, email_confirmed_at: undefined }
    fake.auth.signUp.mockResolvedValue({ data: { user: unconfirmed, session: null }, error: null })
    fake.auth.resend.mockResolvedValue({ error: null })
    localStorage.setItem('referralCode', 'COACH-7')
    const person = open()
    await person.click(screen.getByRole('tab', { name: 'Sign Up' }))
    for (const [label, text] of Object.entries(fields)) await person.type(screen.getByLabelText(label), text)
    await person.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(await screen.findByText('We sent a link to ana@x.test')).toBeTruthy()
    // The database counts the referral, whatever device confirms.
    expect(fake.auth.signUp.mock.lastCall?.[0]).toMatchObject({ options: { data: { referral_code: 'COACH-7' } } })
    cleanup()
    const later = open()
    await later.click(await screen.findByRole('button', { name: 'Send the link again' }))
    expect(fake.auth.resend).toHaveBeenCalledExactlyOnceWith({
      type: 'signup',
      email: 'ana@x.test',
      options: { emailRedirectTo: window.location.origin },
    })
    expect(await screen.findByRole('button', { name: /^Send again in \d+ s$/ })).toHaveProperty('disabled', true)
    await later.click(screen.getByRole('button', { name: 'Sign in or use another address' }))
    expect(screen.getByRole('tab', { name: 'Sign In' })).toBeTruthy()
  })

  test('that awaits confirmation is found again by signing in', async () => {
    const error = Object.assign(new Error('Email not confirmed'), { code: 'email_not_confirmed' })
    fake.auth.signInWithPassword.mockResolvedValue({ data: {}, error })
    const person = open()
    await person.type(screen.getByLabelText('Email'), 'ana@x.test')
    await person.type(screen.getByLabelText('Password'), 'secret')
    await person.click(screen.getByRole('button', { name: 'Sign In' }))
    expect(await screen.findByText('We sent a link to ana@x.test')).toBeTruthy()
    expect(lastToast()?.description).toBe('Please check your email and click the confirmation link.')
  })

  test('a coach goes on to the coach form and back', async () => {
    fake.auth.signUp.mockResolvedValue({ data: { user, session: {} }, error: null })
    const person = open()
    await person.click(screen.getByRole('tab', { name: 'Sign Up' }))
    for (const [label, text] of Object.entries(fields)) await person.type(screen.getByLabelText(label), text)
    await person.selectOptions(screen.getByLabelText('Role'), 'coach')
    await person.click(screen.getByRole('button', { name: 'Create Account' }))
    expect(screen.getByRole('heading', { name: 'Coach Registration' })).toBeTruthy()
    await person.click(screen.getByRole('button', { name: 'Register as Coach' }))
    const problems = within(await screen.findByRole('alert')).getAllByRole('listitem')
    expect(problems.map(({ textContent }) => textContent)).toEqual([
      'League is required.',
      'Years coaching is required.',
      'Team name is required.',
    ])
    expect(document.activeElement).toBe(screen.getByLabelText('League'))

    await person.type(screen.getByLabelText('League'), 'Cape Cod')
    await person.selectOptions(screen.getByLabelText('Years Coaching'), '12')
    await person.type(screen.getByLabelText('Team Name'), 'Gulls')
    await person.click(screen.getByRole('button', { name: 'Register as Coach' }))
    await waitFor(() => expect(lastToast()?.title).toBe('Coach Account Created!'))
    expect(fake.auth.signUp.mock.lastCall?.[0]).toMatchObject({
      options: { data: { role: 'coach', years_coaching: 12, months_current_team: 0, accept_coach_stats: false } },
    })
    expect(screen.queryByRole('heading', { name: 'Coach Registration' })).toBeNull()
  })
})
