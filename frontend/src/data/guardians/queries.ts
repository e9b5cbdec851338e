import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'

/** Open invitations to be a guardian. */
export const invitationsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['minors', 'invitations', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('my_invitations').abortSignal(signal)),
  })

/** The guardians whom the user has invited, and their answers. */
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
