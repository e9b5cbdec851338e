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
