/** Whether this page can use passkeys: browsers require a secure origin and a host name, not an IP address. */
export function hasAuthenticators(hostname = window.location.hostname): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(hostname)
}

/** Whether the browser's dialog was dismissed, timed out, or found no authenticator that fits. */
export const isDismissed = (error: unknown) => ['NotAllowedError', 'AbortError'].includes(authenticatorError(error))

/** The browser's own name of an error, also where the library has wrapped it; empty if there is none. */
export function authenticatorError(error: unknown): string {
  const { name, cause, originalError } = Object(error) as Record<string, unknown>
  const inner = cause ?? originalError
  if (inner !== undefined && inner !== null && typeof inner === 'object') return authenticatorError(inner)
  return typeof name === 'string' ? name : ''
}
