import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { codeOf, isSecondFactorMissing, isSessionEnd, statusOf } from '@/lib/errors'
import { supabase } from '@/lib/supabase'

const RETRIES = 2

/** Without a connection a request fails and says so, instead of waiting for one without a word. */
const networkMode = 'always'

/**
 * A session that the server has ended is at an end here, too. Where the server asks for a second factor that this browser
 * does not know of, a refresh brings it, and the router asks for its code.
 */
function onError(error: unknown) {
  if (isSecondFactorMissing(error)) void supabase.auth.refreshSession()
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

/** The same question gets the same refusal again; only a server in trouble or no network is worth asking twice. */
function isWorthAskingAgain(error: unknown): boolean {
  if (!navigator.onLine) return false
  const status = statusOf(error)
  // The data API's errors come without their status, but with a code.
  return status === undefined ? !codeOf(error) : status >= 500
}
