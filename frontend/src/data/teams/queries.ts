import { queryOptions } from '@tanstack/react-query'
import { OPENED_PROFILE } from '@/data/players/queries'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

type Tables = Database['public']['Tables']

/** Everything about teams begins with this: a membership shows on both sides. */
export const TEAMS_KEY = ['teams'] as const

/** How many are offered of those whose name was searched. */
const FOUND = 8

/** The leagues that a team can belong to. */
export const leaguesQuery = queryOptions({
  queryKey: [...TEAMS_KEY, 'leagues'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.from('leagues').select('id, name, level').order('name').abortSignal(signal)),
})

/** The memberships of somebody, as far as one may see them, each with its team. */
export const membershipsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'of', userId],
    queryFn: async ({ signal }): Promise<Membership[]> =>
      unwrap(
        await supabase
          .from('team_members')
          .select(
            'team_id, role, status, jersey, approved_at, teams(id, name, city, state, active, leagues(name, level))',
          )
          .eq('user_id', userId)
          .setHeader(OPENED_PROFILE, userId)
          .order('created_at')
          .abortSignal(signal),
      ),
  })

type MembershipColumns = Pick<Tables['team_members']['Row'], 'team_id' | 'role' | 'status' | 'jersey' | 'approved_at'>
type Team = Pick<Tables['teams']['Row'], 'id' | 'name' | 'city' | 'state' | 'active'> & {
  leagues: Pick<Tables['leagues']['Row'], 'name' | 'level'> | null
}
/** Without its team where that is closed and one is not in it. */
export type Membership = MembershipColumns & { teams: Team | null }

/** Who is in a team, coaches first. Names are those that one may see. */
export const rosterQuery = (teamId: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'roster', teamId],
    queryFn: async ({ signal }): Promise<Member[]> =>
      unwrap(
        await supabase
          .from('team_members')
          .select(
            'team_id, user_id, role, status, jersey, approved_at, profiles(full_name, players(positions, grad_year))',
          )
          .eq('team_id', teamId)
          // Who waits for an answer comes first: "invited", "asked", and then "active".
          .order('status', { ascending: false })
          .order('role')
          .order('created_at')
          .abortSignal(signal),
      ),
  })

type Facts = Pick<Tables['players']['Row'], 'positions' | 'grad_year'>
/** Without a profile where one may not see it. */
export type Member = MembershipColumns & { user_id: string } & {
  profiles: { full_name: string; players: Facts | null } | null
}

/** One of those among whom somebody chooses. */
export type Choice = { id: string; name: string; facts: string }

/** Players and coaches with `name` in theirs, of those who are shown. */
export const peopleQuery = (name: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'people', name],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const rows = unwrap(
        await supabase
          .from('profiles')
          .select('id, full_name, role, players(positions, grad_year, player_academics(school))')
          .eq('public_profile', true)
          .in('role', ['player', 'coach'])
          .ilike('full_name', containing(name))
          .order('full_name')
          .limit(FOUND)
          .abortSignal(signal),
      )
      return rows.map(({ id, full_name, role, players }) => ({
        id,
        name: full_name,
        facts: [role, players?.positions.join(', '), players?.grad_year, players?.player_academics?.school]
          .filter(Boolean)
          .join(' · '),
      }))
    },
  })

/** Teams that can be joined with `name` in theirs. */
export const openTeamsQuery = (name: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'open', name],
    queryFn: async ({ signal }): Promise<Choice[]> => {
      const rows = unwrap(
        await supabase
          .from('teams')
          .select('id, name, city, state, leagues(name)')
          .eq('active', true)
          .ilike('name', containing(name))
          .order('name')
          .limit(FOUND)
          .abortSignal(signal),
      )
      return rows.map(({ id, name, city, state, leagues }) => ({
        id,
        name,
        facts: [city, state, leagues?.name].filter(Boolean).join(' · '),
      }))
    },
  })

/** A pattern for `ilike` in which nothing of what was typed is one. */
const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
