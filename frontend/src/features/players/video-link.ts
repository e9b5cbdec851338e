/** The host of a link that a browser can open over https; null for what was saved before links were checked so strictly. */
export function videoHost(url: string): string | null {
  if (!URL.canParse(url)) return null
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && hostname !== '' ? hostname : null
}
