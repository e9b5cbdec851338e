import type { Session } from '@supabase/supabase-js'

/** The library's own name for the session in local storage: `sb-<host>-auth-token`. */
const KEY = /^sb-.+-auth-token$/

/** The session that this browser holds, before the library has looked at it; it may have expired or been ended since. */
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
