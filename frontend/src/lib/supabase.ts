import { createClient, type PostgrestSingleResponse } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import { hasStoredSession } from '@/lib/stored-session'
import type { Database } from '@/types/database'

/** A wrong key is answered with 401, which every screen can show; an empty key would make `createClient` throw. */
const KEY_OF_AN_UNCONFIGURED_PAGE = 'unconfigured'

/** The only API client. The library keeps the session in local storage under a name of its own. */
export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseAnonKey || KEY_OF_AN_UNCONFIGURED_PAGE, {
  global: { fetch: (input, init) => (asksAsVisitor(input, init) ? Promise.reject(unrefreshed()) : fetch(input, init)) },
})

/**
 * Whether a signed-in user's request for data or of a function is about to be sent with the anonymous key. The library does that when it could not
 * refresh the token; the response would be a visitor's, such as an empty profile.
 */
function asksAsVisitor(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  if (!/\/(rest|functions)\/v1\//.test(urlOf(input))) return false
  return new Headers(init?.headers).get('Authorization') === `Bearer ${env.supabaseAnonKey}` && hasStoredSession()
}

// Hoisted functions, because the client sends its first request, for a mailed link, while this module is still being evaluated.
function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input)
}

/** The same message as for a failed request, so that screens say that the server cannot be reached. */
function unrefreshed(): TypeError {
  return new TypeError('Failed to fetch: the session could not be refreshed.')
}

/** Returns the data of a response, or throws its error, as TanStack Query requires. */
export function unwrap<T>(answer: PostgrestSingleResponse<T>): T {
  if (answer.error) throw answer.error
  return answer.data
}
