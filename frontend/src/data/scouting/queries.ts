import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

/** Prefix of a scout's own data, which the database gives to nobody else. */
export const SCOUTING_KEY = ['scouting'] as const

type Tables = Database['public']['Tables']

/** The scout's notes about one player, the latest first. */
export const notesQuery = (playerId: string) =>
  queryOptions({
    queryKey: [...SCOUTING_KEY, 'notes', playerId],
    queryFn: async ({ signal }): Promise<Note[]> =>
      unwrap(
        await supabase
          .from('scout_notes')
          .select('id, body, grades, created_at, updated_at')
          .eq('player_id', playerId)
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
  })

export type Note = Pick<Tables['scout_notes']['Row'], 'id' | 'body' | 'grades' | 'created_at' | 'updated_at'>

/** The scout's lists, each with the players whom the scout may see. */
export const watchlistsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...SCOUTING_KEY, 'watchlists', userId],
    queryFn: async ({ signal }): Promise<Watchlist[]> =>
      unwrap(
        await supabase
          .from('watchlists')
          .select(
            `id, name, watchlist_players(player_id, note, added_at,
              profiles(full_name, players(positions, grad_year, state, player_academics(school))))`,
          )
          .eq('owner_id', userId)
          .order('name')
          .order('added_at', { referencedTable: 'watchlist_players' })
          .abortSignal(signal),
      ),
  })

type Facts = Pick<Tables['players']['Row'], 'positions' | 'grad_year' | 'state'> & {
  /** Null if the viewer may not read it. */
  player_academics: Pick<Tables['player_academics']['Row'], 'school'> | null
}

export type Watched = Pick<Tables['watchlist_players']['Row'], 'player_id' | 'note' | 'added_at'> & {
  /** Null where the player is no longer shown. */
  profiles: { full_name: string; players: Facts | null } | null
}

export type Watchlist = { id: string; name: string; watchlist_players: Watched[] }

type Returned<Name extends keyof Database['public']['Functions']> = Database['public']['Functions'][Name]['Returns']

/** A number of one of the players who are compared. Percentile, class and position are null as in player_percentiles(). */
export type Compared = Omit<
  Returned<'compare_players'>[number],
  'percentile' | 'class' | 'position' | 'decimals' | 'taken_at' | 'tries' | 'season'
> & {
  percentile: number | null
  class: number | null
  position: string | null
  /** Null for rates. */
  decimals: number | null
  taken_at: string | null
  tries: number | null
  season: number | null
}

/** How many players can be compared. */
export const MOST_COMPARED = 4

/** The numbers of two to four players. */
export const comparisonQuery = (playerIds: readonly string[]) =>
  queryOptions({
    queryKey: [...SCOUTING_KEY, 'comparison', ...playerIds],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.rpc('compare_players', { player_ids: [...playerIds] }).abortSignal(signal)) as Compared[],
    enabled: playerIds.length > 1,
  })

/** A number that was entered since the last visit; `was` is null for the first of its kind. */
export type ListChange = Omit<Returned<'visit_lists'>[number], 'was'> & { was: number | null }

/** What is new on the lists since the last visit. Asking begins a visit; within half an hour it is the same one. */
export const listChangesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...SCOUTING_KEY, 'changes', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('visit_lists').abortSignal(signal)) as ListChange[],
  })
