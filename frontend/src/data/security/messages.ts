import { authenticatorError, isDismissed } from '@/lib/authenticators'
import { codeOf, messageOf } from '@/lib/errors'

/** Asks for a phone number as the server takes it: E.164. */
export const INCOMPLETE_NUMBER = 'Please enter the number with its country code, such as +1 555 010 4477.'

/** Explains a failed request about factors or passkeys and what to do. */
export function securityReason(error: unknown): string {
  if (authenticatorError(error) === 'InvalidStateError') return 'This device is registered here already.'
  if (authenticatorError(error) === 'SecurityError') {
    return `Passkeys and security keys do not work at ${window.location.hostname}. Please open this page by its proper address.`
  }
  if (isDismissed(error)) return 'Nothing was registered: the browser was not allowed to, or it took too long.'
  switch (codeOf(error)) {
    case 'mfa_verification_failed':
      return 'That code is not right. Codes change every 30 seconds: enter the one that is shown now.'
    case 'mfa_challenge_expired':
    case 'webauthn_challenge_expired':
    case 'webauthn_challenge_not_found':
      return 'The request has expired. Try again.'
    case 'mfa_factor_name_conflict':
      return 'You have a second factor of that name. Please choose another name.'
    case 'too_many_enrolled_mfa_factors':
      return 'You have as many second factors as one can have. Remove one first.'
    case 'too_many_passkeys':
      return 'You have as many passkeys as one can have. Remove one first.'
    case 'webauthn_credential_exists':
      return 'This device is registered here already.'
    case 'insufficient_aal':
      return 'Please sign out and in again with your second factor, then try once more.'
    case 'over_request_rate_limit':
      return 'Too many attempts. Please wait a minute and try again.'
    default:
      return messageOf(error, 'The server did not say why. Please try again.')
  }
}

/** Explains a failed request about a phone and what to do. */
export function phoneReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'mfa_phone_enroll_not_enabled':
    case 'mfa_phone_verify_not_enabled':
      return 'This server takes no phone as a second factor. Please use an authenticator app.'
    case 'mfa_verified_factor_exists':
      return 'This phone is one of your second factors already.'
    case 'mfa_verification_failed':
    case 'otp_expired':
      return 'That code is not right. Enter the one of the latest message.'
    case 'over_sms_send_rate_limit':
      return 'We have just sent a code. Please wait a moment and try again.'
    case 'sms_send_failed':
      return 'The message could not be sent. Please check the number and try again.'
    case 'validation_failed':
      return INCOMPLETE_NUMBER
    default:
      return securityReason(error)
  }
}

/** Explains why the user's password was not accepted. */
export function confirmReason(error: unknown): string {
  if (codeOf(error) === 'invalid_credentials') return 'That is not your password.'
  return messageOf(error, 'That could not be checked. Please try again.')
}
