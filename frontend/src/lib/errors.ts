export const UNREACHABLE = 'The server cannot be reached. Check your connection and try again.'
export const SESSION_ENDED = 'Your session has ended. Please sign in again; what you typed is kept.'

/** What Chromium, Firefox and Safari say of a request without an answer. */
const WITHOUT_ANSWER = /failed to fetch|networkerror|load failed/i
/** Messages of PostgreSQL that are not written for users. */
const OF_THE_DATABASE = /row-level security|permission denied for|violates [\w-]+ constraint/

/** The message of anything thrown, or `fallback` if it has none a person could read. */
export function messageOf(error: unknown, fallback: string): string {
  const message = property(error, 'message')
  if (isSessionEnd(error)) return SESSION_ENDED
  if (typeof message !== 'string') return fallback
  if (WITHOUT_ANSWER.test(message)) return UNREACHABLE
  return isForPeople(message) ? message : fallback
}

/** False for empty messages, browsers' own errors (`TypeError: …`) and raw database messages. */
const isForPeople = (message: string) =>
  message.trim() !== '' && message !== '{}' && !/^\w*Error: /.test(message) && !OF_THE_DATABASE.test(message)

/** What the auth service and the data API call a session that is over: revoked, expired, or not there at all. */
const SESSION_ENDS = ['session_not_found', 'session_expired', 'refresh_token_not_found', 'PGRST301', 'PGRST303']

/** Whether an error means that the session has ended. */
export const isSessionEnd = (error: unknown): boolean =>
  SESSION_ENDS.includes(codeOf(error) ?? '') || property(error, 'name') === 'AuthSessionMissingError'

/** The service's own code for an error (`invalid_credentials`, `PGRST116`), if it has one. */
export function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code')
  return typeof code === 'string' ? code : undefined
}

/** The HTTP status of an error of supabase-js, if there was an answer. */
export function statusOf(error: unknown): number | undefined {
  const status = property(error, 'status')
  return typeof status === 'number' && status > 0 ? status : undefined
}

/** Reads a property of an unknown value; undefined if the value has none of that name. */
export function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
