import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** Days that figures over time cover. */
export const DAYS = 30
/** Lines of the audit log and users that one look shows; the rest is for SQL. */
const LIMIT = 500

export const totalsQuery = queryOptions({
  queryKey: ['admin', 'totals'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_totals').abortSignal(signal))[0] ?? null,
})

export const activityQuery = queryOptions({
  queryKey: ['admin', 'activity'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_activity', { days: DAYS }).abortSignal(signal)),
})

export const devicesQuery = queryOptions({
  queryKey: ['admin', 'devices'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_devices', { days: DAYS }).abortSignal(signal)),
})

export const pagesQuery = queryOptions({
  queryKey: ['admin', 'pages'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_top_pages', { days: DAYS }).abortSignal(signal)),
})

export const funnelQuery = queryOptions({
  queryKey: ['admin', 'funnel'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.rpc('admin_referral_funnel', { days: DAYS }).abortSignal(signal)),
})

export const codesQuery = queryOptions({
  queryKey: ['admin', 'codes'],
  queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_referral_codes').abortSignal(signal)),
})

/** The accounts, the newest first, each with whether it is suspended now. */
export const usersQuery = queryOptions({
  queryKey: ['admin', 'users'],
  queryFn: async ({ signal }) => {
    const [users, suspensions] = await Promise.all([
      supabase
        .from('users')
        .select('id, full_name, email, role, is_admin, public_profile, referral_tokens, created_at')
        .order('created_at', { ascending: false })
        .limit(LIMIT)
        .abortSignal(signal),
      supabase.from('suspensions').select('user_id').is('lifted_at', null).abortSignal(signal),
    ])
    const suspended = new Set(unwrap(suspensions).map(({ user_id }) => user_id))
    return unwrap(users).map((user) => ({ ...user, suspended: suspended.has(user.id) }))
  },
})

export const reportsQuery = queryOptions({
  queryKey: ['admin', 'reports'],
  queryFn: async ({ signal }) =>
    unwrap(
      await supabase
        .from('reports')
        .select('id, subject_kind, reason, details, status, resolution, created_at')
        .order('created_at', { ascending: false })
        .limit(LIMIT)
        .abortSignal(signal),
    ),
})

export const messagesQuery = queryOptions({
  queryKey: ['admin', 'messages'],
  queryFn: async ({ signal }) =>
    unwrap(
      await supabase
        .from('contact_messages')
        .select('id, name, email, subject, message, created_at, handled_at')
        .order('created_at', { ascending: false })
        .limit(LIMIT)
        .abortSignal(signal),
    ),
})

export const auditQuery = queryOptions({
  queryKey: ['admin', 'audit'],
  queryFn: async ({ signal }) =>
    unwrap(
      await supabase
        .from('audit_log')
        .select('id, action, subject_id, reason, created_at')
        .order('created_at', { ascending: false })
        .limit(LIMIT)
        .abortSignal(signal),
    ),
})
