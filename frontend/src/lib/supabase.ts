import { createClient, type PostgrestSingleResponse } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import { hasStoredSession } from '@/lib/stored-session'
import type { Database } from '@/types/database'

/** A server without a key answers 401, which every screen knows how to show; an empty key would stop the page. */
const KEY_OF_AN_UNCONFIGURED_PAGE = 'unconfigured'

/** The one client: who is signed in lives in local storage under the library's own name for it. */
export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseAnonKey || KEY_OF_AN_UNCONFIGURED_PAGE, {
  global: { fetch: (input, init) => (asksAsVisitor(input, init) ? Promise.reject(unrefreshed()) : fetch(input, init)) },
})

/**
 * Whether a data request of a signed-in user is about to go out with the visitors' key. The library does that when it could not
 * refresh the token; the answer would be a visitor's: an empty profile, a list without what only the user may see.
 */
function asksAsVisitor(input: RequestInfo | URL, init: RequestInit | undefined): boolean {
  if (!urlOf(input).includes('/rest/v1/')) return false
  return new Headers(init?.headers).get('Authorization') === `Bearer ${env.supabaseAnonKey}` && hasStoredSession()
}

// Declarations: the client sends its first request, for the session in a mailed link, before this module has run to its end.
function urlOf(input: RequestInfo | URL): string {
  return input instanceof Request ? input.url : String(input)
}

/** Worded as the browser words a request without an answer, so that screens say that the server cannot be reached. */
function unrefreshed(): TypeError {
  return new TypeError('Failed to fetch: the session could not be refreshed.')
}

/** The data of a REST answer, or its error thrown, as TanStack Query wants it. */
export function unwrap<T>(answer: PostgrestSingleResponse<T>): T {
  if (answer.error) throw answer.error
  return answer.data
}
