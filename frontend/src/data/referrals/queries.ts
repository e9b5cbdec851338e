import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** Days that the funnel covers. */
export const FUNNEL_DAYS = 30

/** The user's own code with its counters; null while there is none. */
export const ownCodeQuery = (userId: string) =>
  queryOptions({
    queryKey: ['referrals', 'code', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('referral_codes')
          .select('code, clicks, conversions')
          .eq('owner_id', userId)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/** How many tokens the user has. */
export const balanceQuery = (userId: string) =>
  queryOptions({
    queryKey: ['referrals', 'balance', userId],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.from('users').select('referral_tokens').eq('id', userId).abortSignal(signal).maybeSingle())
        ?.referral_tokens ?? null,
  })

/** Every line of the user's ledger, the newest first. */
export const ledgerQuery = (userId: string) =>
  queryOptions({
    queryKey: ['referrals', 'ledger', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('token_ledger')
          .select('id, amount, reason, created_at')
          .eq('user_id', userId)
          .order('created_at', { ascending: false })
          .order('id', { ascending: false })
          .abortSignal(signal),
      ),
  })

/** What came of the user's code, day by day. */
export const funnelQuery = (userId: string) =>
  queryOptions({
    queryKey: ['referrals', 'funnel', userId],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.rpc('referral_funnel', { days: FUNNEL_DAYS }).abortSignal(signal)),
  })
