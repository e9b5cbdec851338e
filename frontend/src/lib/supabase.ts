import { createClient, type PostgrestSingleResponse } from '@supabase/supabase-js'
import { env } from '@/lib/env'
import type { Database } from '@/types/database'

/** A server without a key answers 401, which every screen knows how to show; an empty key would stop the page. */
const KEY_OF_AN_UNCONFIGURED_PAGE = 'unconfigured'

/** The one client: who is signed in lives in local storage under the library's own name for it. */
export const supabase = createClient<Database>(env.supabaseUrl, env.supabaseAnonKey || KEY_OF_AN_UNCONFIGURED_PAGE)

/** The data of a REST answer, or its error thrown, as TanStack Query wants it. */
export function unwrap<T>(answer: PostgrestSingleResponse<T>): T {
  if (answer.error) throw answer.error
  return answer.data
}
