import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** Weeks that the chart of weekly users covers. */
export const WEEKS = 12
/** Entries of the token ledger and the audit log on a user's page. */
export const LATEST = 10

export const totalsQuery = queryOptions({
  queryKey: ['admin', 'totals'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_totals').abortSignal(signal))[0] ?? null,
})

export const activityQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'activity', days],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_activity', { days }).abortSignal(signal)),
  })

export const weeksQuery = queryOptions({
  queryKey: ['admin', 'weeks'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.rpc('admin_weekly_activity', { weeks: WEEKS }).abortSignal(signal)),
})

export const devicesQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'devices', days],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_devices', { days }).abortSignal(signal)),
  })

export const pagesQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'pages', days],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_top_pages', { days }).abortSignal(signal)),
  })

export const funnelQuery = (days: number) =>
  queryOptions({
    queryKey: ['admin', 'funnel', days],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_referral_funnel', { days }).abortSignal(signal)),
  })

export const codesQuery = queryOptions({
  queryKey: ['admin', 'codes'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_referral_codes').abortSignal(signal)),
})

/** One account; null where there is none with this id. */
export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'user', id],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.from('admin_users').select('*').eq('id', id).abortSignal(signal).maybeSingle()),
  })

/** The latest lines of somebody's ledger, whose sum is the balance. */
export const ledgerQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'ledger', id],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('token_ledger')
          .select('id, amount, reason, created_at')
          .eq('user_id', id)
          .order('id', { ascending: false })
          .limit(LATEST)
          .abortSignal(signal),
      ),
  })

/** The latest that was done to somebody. */
export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'history', id],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('admin_audit_log')
          .select('*')
          .eq('subject_user_id', id)
          .order('id', { ascending: false })
          .limit(LATEST)
          .abortSignal(signal),
      ),
  })

/** The memberships there are. */
export const tiersQuery = queryOptions({
  queryKey: ['admin', 'tiers'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.from('pricing_tiers').select('id, name').order('position').abortSignal(signal)),
})
