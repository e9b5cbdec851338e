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

/** The suspension that holds now, if there is one. */
export const suspensionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'suspension', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('suspensions')
          .select('reason, suspended_at')
          .eq('user_id', userId)
          .is('lifted_at', null)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })
