import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** Those who ask the user to be their guardian. */
export const invitationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'invitations', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_invitations').abortSignal(signal)),
  })

/** Whom the user has asked to be a guardian of theirs, and what came of it. */
export const guardiansQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'guardians', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('guardianships')
          .select('id, guardian_id, invited_email, status, invited_at, answered_at, ended_at')
          .eq('ward_id', userId)
          .order('invited_at')
          .abortSignal(signal),
      ),
  })

/** Of the user's wards: teams that invite them, or that they ask to join, and that the user has not answered yet. */
export const wardRequestsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'requests', userId],
    queryFn: async ({ signal }) => {
      const wards = unwrap(await supabase.rpc('my_wards').abortSignal(signal))
      const ids = wards.map(({ ward_id }) => ward_id)
      const waiting = supabase.from('team_members').select('team_id, user_id').in('user_id', ids)
      return unwrap(await waiting.or('status.eq.invited,and(status.eq.asked,approved_at.is.null)').abortSignal(signal))
    },
  })
