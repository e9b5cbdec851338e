import { isRecord } from '@/lib/is-record'

/** The claims of an access token, not verified; none if it cannot be read. */
export function claimsOf(token = ''): Record<string, unknown> {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isRecord(claims) ? claims : {}
  } catch {
    return {}
  }
}
