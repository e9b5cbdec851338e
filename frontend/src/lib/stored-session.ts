import type { Session } from '@supabase/supabase-js'

/** The library's own name for the session in local storage: `sb-<host>-auth-token`. */
const KEY = /^sb-.+-auth-token$/

/** The session in this browser's storage. It may have expired, or the server may have ended it. */
export function storedSession(): Session | null {
  const key = Object.keys(localStorage).find((key) => KEY.test(key))
  if (key === undefined) return null
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '')
    return isSession(value) ? value : null
  } catch {
    return null
  }
}

export const hasStoredSession = () => storedSession() !== null

function isSession(value: unknown): value is Session {
  const { access_token, refresh_token, user } = Object(value) as Record<string, unknown>
  const { id } = Object(user) as Record<string, unknown>
  return typeof access_token === 'string' && typeof refresh_token === 'string' && typeof id === 'string'
}

/** auth-js refreshes a session before the first request when it expires within this many milliseconds. */
const EXPIRY_MARGIN = 90_000

/** Whether a stored session can be used without a request. */
export const isUnexpired = (session: Session | null) => (session?.expires_at ?? 0) * 1000 > Date.now() + EXPIRY_MARGIN
