import { queryOptions } from '@tanstack/react-query'
import { OPENED_PROFILE } from '@/data/players/queries'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

type Tables = Database['public']['Tables']

/** Prefix of all keys about teams, because a membership shows on both sides. */
export const TEAMS_KEY = ['teams'] as const

/** Search results that are shown. */
const FOUND = 8

/** The leagues that a team can belong to. */
export const leaguesQuery = queryOptions({
  queryKey: [...TEAMS_KEY, 'leagues'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.from('leagues').select('id, name, level').order('name').abortSignal(signal)),
})

/** A person's visible memberships, each with its team. */
export const membershipsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'of', userId],
    queryFn: async ({ signal }): Promise<Membership[]> =>
      unwrap(
        await supabase
          .from('team_members')
          .select(
            'team_id, role, status, jersey, approved_at, teams(id, name, city, state, active, logo, leagues(name, level))',
          )
          .eq('user_id', userId)
          .setHeader(OPENED_PROFILE, userId)
          .order('created_at')
          .abortSignal(signal),
      ),
  })

type MembershipColumns = Pick<Tables['team_members']['Row'], 'team_id' | 'role' | 'status' | 'jersey' | 'approved_at'>
type Team = Pick<Tables['teams']['Row'], 'id' | 'name' | 'city' | 'state' | 'active' | 'logo'> & {
  leagues: Pick<Tables['leagues']['Row'], 'name' | 'level'> | null
}
/** `teams` is null for a closed team that the viewer is not in. */
export type Membership = MembershipColumns & { teams: Team | null }

/** The members of a team, coaches first, with the names that the viewer may see. */
export const rosterQuery = (teamId: string) =>
  queryOptions({
    queryKey: [...TEAMS_KEY, 'roster', teamId],
    queryFn: async ({ signal }): Promise<Member[]> =>
      unwrap(
        await supabase
          .from('team_members')
          .select(
            'team_id, user_id, role, status, jersey, approved_at, profiles(full_name, photo, players(positions, grad_year))',
          )
          .eq('team_id', teamId)
          // Those who wait for an answer come first: "invited", "asked", then "active".
          .order('status', { ascending: false })
          .order('role')
          .order('created_at')
          .abortSignal(signal),
      ),
  })

type Facts = Pick<Tables['players']['Row'], 'positions' | 'grad_year'>
/** `profiles` is null if the viewer may not see it. */
export type Member = MembershipColumns & { user_id: string } & {
  profiles: { full_name: string; photo: string | null; players: Facts | null } | null
}

/** A search result to choose from. */
export type Choice = { id: string; name: string; facts: string }

/** Public players and coaches whose name contains `name`. */
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

/** Active teams whose name contains `name`. */
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

/** A pattern for `ilike` that takes the typed text literally. */
const containing = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`
