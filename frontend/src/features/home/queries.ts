import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** The signed-in user's own row. */
export const ownAccountQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'account', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('users')
          .select('full_name, email, referral_tokens, public_profile, created_at')
          .eq('id', userId)
          .abortSignal(signal)
          .single(),
      ),
  })
