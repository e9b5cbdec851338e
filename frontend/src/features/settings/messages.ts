import { codeOf, messageOf } from '@/lib/errors'

/** Why something about factors or passkeys did not work, and what to do. */
export function securityReason(error: unknown): string {
  if (nameOf(error) === 'InvalidStateError') return 'This device is registered here already.'
  if (nameOf(error) === 'SecurityError') {
    return `Passkeys and security keys do not work at ${window.location.hostname}. Please open this page by its proper address.`
  }
  if (isDismissed(error)) return 'Nothing was registered: the browser was not allowed to, or it took too long.'
  switch (codeOf(error)) {
    case 'mfa_verification_failed':
      return 'That code is not right. Codes change every 30 seconds: enter the one that is shown now.'
    case 'mfa_challenge_expired':
    case 'webauthn_challenge_expired':
    case 'webauthn_challenge_not_found':
      return 'That took too long. Please try again.'
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

/** What browsers throw when nobody touched the authenticator. */
export const isDismissed = (error: unknown) => ['NotAllowedError', 'AbortError'].includes(nameOf(error))

/** The browser's own name for it, also where the library has wrapped it. */
function nameOf(error: unknown): string {
  const { name, cause, originalError } = Object(error) as Record<string, unknown>
  const inner = cause ?? originalError
  if (inner !== undefined && inner !== null && typeof inner === 'object') return nameOf(inner)
  return typeof name === 'string' ? name : ''
}

/** Why a password did not confirm whose account this is. */
export function confirmReason(error: unknown): string {
  if (codeOf(error) === 'invalid_credentials') return 'That is not your password.'
  return messageOf(error, 'That could not be checked. Please try again.')
}

/** Why a password or an address was not changed. */
export function changeReason(error: unknown): string {
  switch (codeOf(error)) {
    case 'same_password':
      return 'That is the password you have. Please choose another.'
    case 'weak_password':
      return messageOf(error, 'That password is too easy to guess.')
    case 'reauthentication_needed':
      return 'We have sent you a code by e-mail. Enter it to go on.'
    case 'reauthentication_not_valid':
      return 'That code is not right, or it is too old.'
    case 'email_exists':
      return 'Another account has this address.'
    case 'email_address_invalid':
      return 'Please enter a complete address.'
    case 'over_email_send_rate_limit':
      return 'We have just sent you an e-mail. Please wait a minute and try again.'
    default:
      return messageOf(error, 'That was not changed. Please try again.')
  }
}
