/** Whether this page can ask an authenticator: on secure origins only, and only where it has a name, not an address. */
export function hasAuthenticators(hostname = window.location.hostname): boolean {
  return 'PublicKeyCredential' in window && !/^[\d.]+$|:/.test(hostname)
}
