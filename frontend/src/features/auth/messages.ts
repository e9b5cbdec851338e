import { codeOf, messageOf } from '@/lib/errors'
import type { MembershipTier } from '@/features/auth/model'

/** The words of section 8, "The error catalogue". */
type Message = { title: string; description?: string }

export const CREDENTIALS_MISSING = 'You must provide either an email or phone number and a password'
export const EMAIL_MISSING = 'Please enter your email first'
export const CONFIRM_EMAIL = 'Please check your email to confirm your registration.'
export const ACCOUNT_FALLBACK = 'Failed to create account'

/** What sign-up says of an address that has an account: thrown by mutations.ts, never sent by the server. */
export const DUPLICATE_EMAIL = 'DUPLICATE_EMAIL'

export function signInFailure(error: unknown): Message {
  return { title: 'Sign in failed', description: signInReason(error) }
}

function signInReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'email_not_confirmed':
      return 'Please check your email and click the confirmation link.'
    case 'invalid_credentials':
      return 'Invalid email or password.'
    // An error that says nothing of itself: the catalogue's "login fallback", and its hint.
    case undefined:
      return messageOf(error, 'Please check your credentials')
    default:
      return messageOf(error, 'Login failed.')
  }
}

export function signUpFailure(error: unknown, title: 'Sign up failed' | 'Coach signup failed'): Message {
  if (codeOf(error) === DUPLICATE_EMAIL) {
    return {
      title: 'Account already exists',
      description: 'An account with this email already exists. Please sign in instead.',
    }
  }
  return { title, description: messageOf(error, 'Please try again') }
}

export function resetFailure(error: unknown): Message {
  return { title: 'Reset failed', description: messageOf(error, 'Please try again') }
}

export function decisionFailure(error: unknown): Message {
  return { title: 'Your answer was not taken', description: messageOf(error, 'Please try again') }
}

/** Why another app's request cannot be shown, and what to do. */
export function requestFailure(error: unknown): Message {
  switch (codeOf(error)) {
    case 'oauth_authorization_not_found':
    case 'validation_failed':
      return {
        title: 'This request is over',
        description: 'It has expired or was answered already. Go back to the app you came from and begin again.',
      }
    case 'feature_disabled':
      return {
        title: 'Other apps cannot sign in here',
        description: 'This site does not let other apps use its accounts.',
      }
    default:
      return { title: 'This request could not be loaded', description: messageOf(error, 'The server did not say why.') }
  }
}

/** Section 8, "Success toasts". */
export function signUpSuccess({ tier, price }: MembershipTier): Message {
  if (price === 0) return { title: 'Account created successfully!' }
  return {
    title: `Welcome to ${tier} Membership!`,
    description: `Your plan is $${price}/mo. Payment setup is coming soon.`,
  }
}
