import { queryOptions } from '@tanstack/react-query'
import { resolveRole, type Role } from '@/lib/role'
import { supabase, unwrap } from '@/lib/supabase'

/** A user's role, cached until sign-out empties the query cache. If the look-up fails, the role is fan. */
export const roleQuery = (userId: string) =>
  queryOptions({
    queryKey: ['role', userId],
    queryFn: async ({ signal }): Promise<Role> => {
      const columns = supabase.from('users').select('role, user_type, is_admin')
      try {
        return resolveRole(unwrap(await columns.eq('id', userId).abortSignal(signal).maybeSingle()))
      } catch (error) {
        if (signal.aborted) throw error
        console.error('The role could not be looked up; treating the user as a fan.', error)
        return 'fan'
      }
    },
    staleTime: Infinity,
    gcTime: Infinity,
  })
