import { REALTIME_SUBSCRIBE_STATES } from '@supabase/supabase-js'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Athlete, Bases, Game, GameRecord, GameRow, Outcome, Side } from '@/data/games/model'
import { isRecord } from '@/lib/is-record'
import { supabase, unwrap } from '@/lib/supabase'

/** Prefix of all keys about games. */
export const GAMES_KEY = ['games'] as const

/** PostgREST: everything of one game in one answer. Who made it and who wrote its place cannot be read. */
const WHOLE = `id, season_id, external_id, owner_team_id, visitor_team_id, home_team_id, visitor_name, home_name, played_on, starts_at,
  number, place, is_public, innings, uses_dh, reentry, courtesy_runner, run_rule, extra_runner, time_limit, home_bats_first,
  info, status, ended, visitor_runs, home_runs, inning, batting, outs, balls, strikes, on_first, on_second, on_third,
  batter_id, pitcher_id, pitches, revision, created_at, updated_at, line_scores(*), player_game_batting(*), player_game_pitching(*),
  lineups(athlete_id, side, jersey, bat_order, position,
    athletes(initial, athlete_identities(full_name, user_id, profiles(full_name))))`

/** A game without its plays; null if it does not exist or the viewer may not see it. */
export const gameQuery = (id: string) =>
  queryOptions({
    queryKey: [...GAMES_KEY, id],
    queryFn: async ({ signal }): Promise<Game | null> => {
      const row = unwrap(await supabase.from('games').select(WHOLE).eq('id', id).abortSignal(signal).maybeSingle())
      if (!row) return null
      const { lineups, line_scores, player_game_batting, player_game_pitching, ...game } = row
      const athletes = lineups.map(athleteOf).map((athlete) => [athlete.id, athlete] as const)
      return {
        ...game,
        athletes: new Map(athletes),
        lineScores: line_scores.sort((one, other) => one.side - other.side),
        batters: player_game_batting,
        pitchers: player_game_pitching.sort((one, other) => one.number - other.number),
      }
    },
  })

type LineupRow = {
  athlete_id: string
  side: number
  jersey: string | null
  bat_order: number | null
  position: number | null
  athletes: {
    initial: string
    athlete_identities: {
      full_name: string | null
      user_id: string | null
      profiles: { full_name: string } | null
    } | null
  } | null
}

function athleteOf({ athlete_id, side, jersey, bat_order, position, athletes }: LineupRow): Athlete {
  const identity = athletes?.athlete_identities
  return {
    id: athlete_id,
    side: side === 0 ? 0 : 1,
    jersey,
    initial: athletes?.initial ?? '',
    full_name: identity?.profiles?.full_name ?? identity?.full_name ?? null,
    user_id: identity?.user_id ?? null,
    order: bat_order,
    position,
  }
}

/** The records of a game that count, in order. */
export const playsQuery = (id: string) =>
  queryOptions({
    queryKey: [...GAMES_KEY, id, 'plays'],
    queryFn: async ({ signal }): Promise<GameRecord[]> => {
      const rows = unwrap(
        await supabase
          .from('plays')
          .select('id, record, outcome')
          .eq('game_id', id)
          .not('ord', 'is', null)
          .order('ord')
          .abortSignal(signal),
      )
      return rows.map(({ id, record, outcome }) => ({ id, record: record ?? '', outcome: outcomeOf(outcome) }))
    },
  })

/** The outcome of a row; null for a record that is no play, and for one that a later version wrote. */
export function outcomeOf(value: unknown): Outcome | null {
  if (!isRecord(value) || !Array.isArray(value.bases) || !Array.isArray(value.score) || !Array.isArray(value.moves))
    return null
  // Only the function `score` writes this column; its shape is tested there.
  return value as Outcome
}

export const EMPTY_BASES: Bases = [null, null, null]

/** The games of a team, the next ones first, then the latest. */
export const scheduleQuery = (teamId: string) =>
  queryOptions({
    queryKey: [...GAMES_KEY, 'of', teamId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('games')
          .select(
            'id, played_on, starts_at, visitor_name, home_name, visitor_runs, home_runs, status, inning, innings, batting, home_bats_first, place, is_public',
          )
          .or(`owner_team_id.eq.${teamId},visitor_team_id.eq.${teamId},home_team_id.eq.${teamId}`)
          .order('played_on')
          .order('starts_at')
          .abortSignal(signal),
      ),
  })

/** The athletes on a team's roster now. */
export const teamAthletesQuery = (teamId: string, side: Side) =>
  queryOptions({
    queryKey: [...GAMES_KEY, 'roster', teamId, side],
    queryFn: async ({ signal }): Promise<Athlete[]> => {
      const rows = unwrap(
        await supabase
          .from('rosters')
          .select('athlete_id, jersey, athletes(initial, athlete_identities(full_name, user_id, profiles(full_name)))')
          .eq('team_id', teamId)
          .is('left_on', null)
          .order('joined_on')
          .abortSignal(signal),
      )
      return rows.map((row) => athleteOf({ ...row, side, bat_order: null, position: null }))
    },
  })

/** The count and the pitches of the unfinished plate appearance. */
const pitchesOf = ({ pitches = '', balls = null, strikes = null }: Partial<GameRow>) => ({ pitches, balls, strikes })

/**
 * Follows a game over the private channel that its viewers may join: shows each pitch, and loads the game again when a play is
 * saved.
 */
export function useLiveGame(id: string | undefined) {
  const client = useQueryClient()
  useEffect(() => {
    if (!id) return
    const reload = () => void client.invalidateQueries({ queryKey: [...GAMES_KEY, id] })
    const changed = ({ new: row }: { new: Partial<GameRow> }) => {
      const known = client.getQueryData(gameQuery(id).queryKey)
      // A pitch is shown from the row itself. Any other change loads the whole game.
      const pitched =
        known && (row.pitches !== known.pitches || row.balls !== known.balls || row.strikes !== known.strikes)
      if (!known || !pitched || known.revision !== row.revision || known.status !== row.status) reload()
      else client.setQueryData(gameQuery(id).queryKey, { ...known, ...pitchesOf(row) })
    }
    const channel = supabase
      .channel(`game:${id}`, { config: { private: true } })
      .on('postgres_changes', { event: 'UPDATE', schema: 'public', table: 'games', filter: `id=eq.${id}` }, changed)
    let left = false
    // The channel is joined with the token that the client has now.
    void supabase.realtime.setAuth().then(() => {
      if (left) return
      channel.subscribe((status) => {
        // Also what was saved while the connection was lost.
        if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) reload()
      })
    })
    return () => {
      left = true
      void supabase.removeChannel(channel)
    }
  }, [client, id])
}
