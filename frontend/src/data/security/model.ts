import { claimsOf } from '@/lib/token-claims'

/** A verified second factor. */
export type SecondFactor = { id: string; name: string; kind: 'totp' | 'webauthn' | 'phone'; since: string }

export type Passkey = { id: string; name: string; since: string; lastUsed: string | null }

export const KIND_NAMES: Record<SecondFactor['kind'], string> = {
  totp: 'Authenticator app',
  webauthn: 'Security key',
  phone: 'Phone',
}

/** `wanted`, or "Authenticator app 2" and so on if that is taken: the server requires unique names. */
export function freeName(wanted: string, taken: readonly string[]): string {
  if (!taken.includes(wanted)) return wanted
  let number = 2
  while (taken.includes(`${wanted} ${number}`)) number += 1
  return `${wanted} ${number}`
}

/** The claim `session_id` of an access token. */
export function sessionIdOf(token?: string): string | undefined {
  const { session_id } = claimsOf(token)
  return typeof session_id === 'string' ? session_id : undefined
}
