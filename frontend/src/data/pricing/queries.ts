import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** What a membership costs, the cheapest first. */
export const tiersQuery = queryOptions({
  queryKey: ['pricing', 'tiers'],
  queryFn: async ({ signal }) =>
    unwrap(
      await supabase
        .from('pricing_tiers')
        .select('id, name, price_monthly, tagline, features, coming_soon')
        .order('position')
        .abortSignal(signal),
    ),
})

/** The user's own membership. */
export const membershipQuery = (userId: string | undefined) =>
  queryOptions({
    queryKey: ['pricing', 'membership', userId],
    enabled: userId !== undefined,
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('memberships')
          .select('tier, wanted_tier')
          .eq('user_id', userId ?? '')
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })
