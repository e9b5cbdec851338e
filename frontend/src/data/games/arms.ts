import { queryOptions } from '@tanstack/react-query'
import { GAMES_KEY } from '@/data/games/queries'
import { supabase, unwrap } from '@/lib/supabase'

/** What the scorebook knows of the arm of a player of its own team, apart from this game. */
export type GameArm = {
  athlete_id: string
  /** The most pitches on a day; null without a known age. */
  day_limit: number | null
  /** The ages that share the limit; null where they have no end. */
  youngest: number | null
  oldest: number | null
  /** In other games of the day. */
  thrown_today: number
  /** The day on which the rest from the week before is over; null if there was none, or if nobody counted it. */
  ready_on: string | null
  rested_pitches: number | null
  /** The pitches of an outing were not recorded, so that more rest may be due. */
  uncounted: boolean
}

/** Another game of the day may go on: asks again every five minutes. */
const INTERVAL = 300_000

/** The arms of the team that scores a game. The scorebook keeps the last answer for when it is offline. */
export const gameArmsQuery = (gameId: string, userId: string) =>
  queryOptions({
    queryKey: [...GAMES_KEY, 'arms', userId, gameId],
    refetchInterval: INTERVAL,
    queryFn: async ({ signal }): Promise<GameArm[]> =>
      unwrap(await supabase.rpc('game_arms', { game: gameId }).abortSignal(signal)),
  })
