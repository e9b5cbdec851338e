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
