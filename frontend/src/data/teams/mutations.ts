import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '@/lib/explain'
import { supabase } from '@/lib/supabase'
import { saving } from '@/data/saving'
import type { Database } from '@/types/database'
import { toast } from '@/ui/toast/toast-state'
import { TEAMS_KEY } from '@/data/teams/queries'

/** A team's name and place. */
type TeamValues = Pick<Database['public']['Tables']['teams']['Row'], 'name' | 'city' | 'state'>
type NewTeamValues = TeamValues & { league_id: string | null }

/** The mutations of forms. Each throws the server's error for the form to show. */
export function useTeamForms() {
  const client = useQueryClient()
  const save = (work: () => Promise<void>) =>
    saving(client, async () => {
      await work()
      await client.invalidateQueries({ queryKey: TEAMS_KEY })
    })
  return {
    create: ({ name, league_id, city, state }: NewTeamValues) =>
      save(async () => {
        await supabase
          .rpc('create_team', {
            name,
            league_id: league_id ?? undefined,
            city: city ?? undefined,
            state: state ?? undefined,
          })
          .throwOnError()
      }),
    rename: (teamId: string, values: TeamValues) =>
      save(async () => {
        await supabase.from('teams').update(values).eq('id', teamId).throwOnError()
      }),
    invite: (team_id: string, user_id: string, jersey: string) =>
      save(async () => {
        await supabase.rpc('invite_to_team', { team_id, user_id, jersey: jersey || undefined }).throwOnError()
      }),
    ask: (team_id: string) =>
      save(async () => {
        await supabase.rpc('ask_to_join', { team_id }).throwOnError()
      }),
  }
}

type Membership = { team_id: string; user_id: string }

/** Accepts a request or an invitation. */
export const useAccept = () =>
  useMembershipMutation(async (given) => {
    await supabase.rpc('accept_member', given).throwOnError()
  })

/** Ends a membership: leaves, declines, withdraws a request, or removes a member. */
export const useLeave = () =>
  useMembershipMutation(async (given) => {
    await supabase.rpc('leave_team', given).throwOnError()
  })

function useMembershipMutation(work: (given: Membership) => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    // The success message is passed in, because the same call serves different actions.
    mutationFn: ({ team_id, user_id }: Membership & { done: string }) => work({ team_id, user_id }),
    onSuccess: (_, { done }) => toast({ title: done, variant: 'success' }),
    onError: (error) =>
      toast({ title: 'That did not work', description: explain(error, 'Please try again.'), variant: 'error' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: TEAMS_KEY }),
        // Coaches see more of a player than others.
        client.invalidateQueries({ queryKey: ['players'] }),
        // A ward counts the teams that wait for the guardian's answer.
        client.invalidateQueries({ queryKey: ['minors', 'wards'] }),
      ]),
  })
}
