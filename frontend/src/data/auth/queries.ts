import { queryOptions } from '@tanstack/react-query'
import { supabase } from '@/lib/supabase'

/**
 * What another app asks of the signed-in user: who it is and what it wants, or where to go when that was decided before.
 * Asking binds the request to the user, so the answer is that of this user alone and is asked for once.
 */
export const authorizationQuery = (authorizationId: string, userId: string) =>
  queryOptions({
    queryKey: ['auth', 'authorization', authorizationId, userId],
    queryFn: async () => {
      const { data, error } = await supabase.auth.oauth.getAuthorizationDetails(authorizationId)
      if (error) throw error
      return data
    },
    staleTime: Infinity,
    retry: false,
  })
