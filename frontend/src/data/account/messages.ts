import { codeOf, messageOf } from '@/lib/errors'

/** Explains why a password or an e-mail address was not changed. */
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
