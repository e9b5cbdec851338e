import { toast } from '@/ui/toast/toast-state'

/**
 * What a link of an e-mail has to say, which the server writes behind the # of the address it sends the browser to: that it no
 * longer works, or that there is another one to follow.
 */
export function sayWhatLinksSay({ hash, pathname, search }: Pick<Location, 'hash' | 'pathname' | 'search'>) {
  const said = new URLSearchParams(hash.slice(1))
  const problem = said.get('error_description')
  const message = said.get('message')
  if (problem !== null) {
    toast({ title: 'That link did not work', description: reason(said.get('error_code'), problem), variant: 'error' })
  } else if (message !== null) {
    toast({ title: 'Confirmed', description: message, variant: 'info' })
  } else return
  // A reload says nothing again.
  window.history.replaceState(window.history.state, '', pathname + search)
}

function reason(code: string | null, problem: string): string {
  if (code === 'otp_expired') return 'It has expired or was used before. Please ask for a new one.'
  return problem
}
