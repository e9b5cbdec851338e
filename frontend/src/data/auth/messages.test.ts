import { AuthClient } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { UNREACHABLE } from '@/lib/errors'
import { DUPLICATE_EMAIL, signInFailure, signUpFailure, signUpSuccess } from '@/data/auth/messages'

const coded = (code: string, message = 'as the server put it') => Object.assign(new Error(message), { code })

// Specification section 8, "The error catalogue".
test.each([
  [coded('email_not_confirmed'), 'Please check your email and click the confirmation link.'],
  [coded('invalid_credentials'), 'Invalid email or password.'],
  [coded('over_request_rate_limit', 'Request rate limit reached'), 'Request rate limit reached'],
  [coded('unexpected_failure', ''), 'Login failed.'],
  [new Error('Failed to fetch'), UNREACHABLE],
  [new Error(''), 'Please check your credentials'],
])('a sign-in that fails with %o says so', (error, description) => {
  expect(signInFailure(error)).toEqual({ title: 'Sign in failed', description })
})

// Issue 10, C6: what the library makes of a server that fails without a word.
test.each([
  [500, ''],
  [500, '<html>Bad gateway</html>'],
  [502, ''],
  [503, 'no healthy upstream'],
])('a sign-in answered by %i with %j is the catalogue’s login fallback', async (status, body) => {
  const fetch = () => Promise.resolve(new Response(body, { status }))
  const client = new AuthClient({ url: 'http://auth.test', fetch, persistSession: false, autoRefreshToken: false })
  const { error } = await client.signInWithPassword({ email: 'ana@x.test', password: 'secret' })
  expect(signInFailure(error).description).toBe('Login failed.')
})

test.each([
  [
    coded(DUPLICATE_EMAIL),
    'Account already exists',
    'An account with this email already exists. Please sign in instead.',
  ],
  [coded('weak_password', 'Password is too weak'), 'Sign up failed', 'Password is too weak'],
  [new Error(''), 'Sign up failed', 'Please try again'],
])('a sign-up that fails with %o says so', (error, title, description) => {
  expect(signUpFailure(error, 'Sign up failed')).toEqual({ title, description })
})

test('a coach is told that the coach signup failed', () => {
  expect(signUpFailure(new Error(''), 'Coach signup failed').title).toBe('Coach signup failed')
})

// "Success toasts" of the same section.
test('a paid tier is welcomed by its name and price', () => {
  expect(signUpSuccess({ tier: 'BASIC', price: 0 })).toEqual({ title: 'Account created successfully!' })
  expect(signUpSuccess({ tier: 'PRO', price: 19.5 }).description).toContain('Your plan is $19.50/mo.')
  expect(signUpSuccess({ tier: 'ELITE', price: 19.99 })).toEqual({
    title: 'Welcome to ELITE Membership!',
    description: 'Your plan is $19.99/mo. Payment setup is coming soon.',
  })
})
