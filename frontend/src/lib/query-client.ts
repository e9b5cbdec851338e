import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { codeOf, isSessionEnd, statusOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

/** What the database says where a session has not shown the second factor that its user has, or has to have. */
const SECOND_FACTOR_MISSING = 'PT403'

const RETRIES = 2

/** Without a connection requests fail with an error instead of waiting silently. */
const networkMode = 'always'

/**
 * Signs out when the server has ended the session. If the server requires a second factor that this session does not list, a
 * refresh brings it, and the router asks for its code.
 */
function onError(error: unknown) {
  if (codeOf(error) === SECOND_FACTOR_MISSING) void supabase.auth.refreshSession()
  if (isSessionEnd(error)) void supabase.auth.signOut({ scope: 'local' })
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: {
      networkMode,
      refetchOnReconnect: true,
      staleTime: 30_000,
      retry: (failures, error) => failures < RETRIES && isWorthAskingAgain(error),
    },
    mutations: { networkMode },
  },
})

/** Only network failures and server errors are retried: other refusals would be repeated. */
function isWorthAskingAgain(error: unknown): boolean {
  if (!navigator.onLine) return false
  const status = statusOf(error)
  // The data API's errors come without their status, but with a code.
  return status === undefined ? !codeOf(error) : status >= 500
}
