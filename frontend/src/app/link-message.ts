import { toast } from '@/ui/toast/toast-state'

/**
 * Shows the message of a mailed link, which the server puts into the fragment of the address that it redirects to: the link has
 * expired, or a second link has to be followed.
 */
export function showLinkMessage({ hash, pathname, search }: Pick<Location, 'hash' | 'pathname' | 'search'>) {
  const said = new URLSearchParams(hash.slice(1))
  const problem = said.get('error_description')
  const message = said.get('message')
  if (problem !== null) {
    toast({ title: 'That link did not work', description: reason(said.get('error_code'), problem), variant: 'error' })
  } else if (message !== null) {
    toast({ title: 'Confirmed', description: message, variant: 'info' })
  } else return
  // Removed, so that a reload does not repeat the message.
  window.history.replaceState(window.history.state, '', pathname + search)
}

function reason(code: string | null, problem: string): string {
  if (code === 'otp_expired') return 'It has expired or was used before. Please ask for a new one.'
  return problem
}
