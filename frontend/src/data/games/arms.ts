import { queryOptions } from '@tanstack/react-query'
import { GAMES_KEY } from '@/data/games/queries'
import { supabase, unwrap } from '@/lib/supabase'

/** A pitcher's limit, rest and pitches in other games, for a player of the scorebook's team. */
export type GameArm = {
  athlete_id: string
  /** Maximum pitches a day; null if the age is unknown. */
  day_limit: number | null
  /** The range of ages that share the limit; null for an open end. */
  youngest: number | null
  oldest: number | null
  /** Pitches in other games of the day. */
  thrown_today: number
  /** The day when the rest from the seven days before is over; null without outings, or if their pitches are unknown. */
  ready_on: string | null
  rested_pitches: number | null
  /** The pitches of an outing were not recorded, so that more rest may be due. */
  uncounted: boolean
}

/** Milliseconds between requests, because another game of the day may be live. */
const INTERVAL = 300_000

/** The pitchers of the team that scores a game. The scorebook stores the last answer for offline use. */
export const gameArmsQuery = (gameId: string, userId: string) =>
  queryOptions({
    queryKey: [...GAMES_KEY, 'arms', userId, gameId],
    refetchInterval: INTERVAL,
    queryFn: async ({ signal }): Promise<GameArm[]> =>
      unwrap(await supabase.rpc('game_arms', { game: gameId }).abortSignal(signal)),
  })
