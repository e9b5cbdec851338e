/** Leaves the app for another address: another app's page, or a scheme that opens another program. */
export function leave(url: string) {
  window.location.assign(url)
}
