import { isDismissed } from '@/lib/authenticators'
import { codeOf, messageOf, statusOf } from '@/lib/errors'
import { dollars } from '@/lib/format'
import type { MembershipTier } from '@/data/auth/storage'

/** The words of section 8, "The error catalogue". */
type Message = { title: string; description?: string }

export const CREDENTIALS_MISSING = 'You must provide either an email or phone number and a password'
export const EMAIL_MISSING = 'Please enter your email first'
export const CONFIRM_EMAIL = 'Please check your email to confirm your registration.'
export const LOGIN_FALLBACK = 'Login failed.'
export const ACCOUNT_FALLBACK = 'Failed to create account'

/** The least HTTP status that is the server's fault. */
const SERVER_FAILURE = 500

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
    // The catalogue's "login fallback" for a server that fails without a word, and the hint for everything else.
    case undefined:
      return isServerFailure(error) ? LOGIN_FALLBACK : messageOf(error, 'Please check your credentials')
    default:
      return messageOf(error, LOGIN_FALLBACK)
  }
}

/** auth-js's name for an answer without JSON in it; its own test would bring the library into the page too early. */
const isUnreadable = (error: unknown) => error instanceof Error && error.name === 'AuthUnknownError'

/** An answer that the library could make nothing of (an empty 500, a proxy's page), or one of 500 and more. */
const isServerFailure = (error: unknown) => isUnreadable(error) || (statusOf(error) ?? 0) >= SERVER_FAILURE

export function signUpFailure(error: unknown, title: 'Sign up failed' | 'Coach signup failed'): Message {
  if (codeOf(error) === DUPLICATE_EMAIL) {
    return {
      title: 'Account already exists',
      description: 'An account with this email already exists. Please sign in instead.',
    }
  }
  return { title, description: messageOf(error, 'Please try again') }
}

/** Why the confirmation e-mail was not sent again. */
export function resendReason(error: unknown): string {
  if (codeOf(error) === 'over_email_send_rate_limit') return 'We have just sent one. Wait a minute and try again.'
  return messageOf(error, 'The e-mail was not sent. Try again.')
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
    description: `Your plan is ${dollars(price)}/mo. Payment setup is coming soon.`,
  }
}

/** Why a passkey did not sign anybody in. */
export function passkeyFailure(error: unknown): Message {
  return { title: 'Sign in failed', description: passkeyReason(error) }
}

function passkeyReason(error: unknown): string {
  if (isDismissed(error)) return 'No passkey was used. Try again, or sign in with your password.'
  switch (codeOf(error)) {
    case 'webauthn_verification_failed':
      return 'This passkey is not known here. Sign in with your password, and add it anew in Settings.'
    case 'webauthn_challenge_expired':
    case 'webauthn_challenge_not_found':
      return 'The request has expired. Try again.'
    case 'passkey_disabled':
      return 'Passkeys are switched off here. Please sign in with your password.'
    default:
      return signInReason(error)
  }
}

/** Why a second factor was not accepted. */
export function secondFactorReason(error: unknown): string {
  if (isDismissed(error)) return 'No security key was used. Please try again.'
  switch (codeOf(error)) {
    case 'mfa_verification_failed':
      return 'That code is not right. Codes change every 30 seconds: enter the one that is shown now.'
    case 'mfa_challenge_expired':
      return 'The request has expired. Try again.'
    case 'over_request_rate_limit':
      return 'Too many attempts. Please wait a minute and try again.'
    default:
      return messageOf(error, 'The second factor could not be checked. Please try again.')
  }
}

/** The same of a code that came by phone. */
export function phoneReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'mfa_verification_failed':
    case 'otp_expired':
      return 'That code is not right. Enter the one of the latest message.'
    case 'over_sms_send_rate_limit':
      return 'We have just sent a code. Please wait a moment and try again.'
    case 'sms_send_failed':
      return 'The message could not be sent. Please try again.'
    default:
      return secondFactorReason(error)
  }
}
