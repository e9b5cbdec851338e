/** A letter in the reader's own mail program (RFC 6068): the `@` stays, whatever else an address holds is encoded. */
export function mailto(address: string, subject: string, body = ''): string {
  const parts = [`subject=${encodeURIComponent(subject)}`, body && `body=${encodeURIComponent(body)}`]
  return `mailto:${address.split('@').map(encodeURIComponent).join('@')}?${parts.filter(Boolean).join('&')}`
}
