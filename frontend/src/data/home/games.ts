import { queryOptions } from '@tanstack/react-query'
import type { GameRow } from '@/data/games/model'
import { supabase, unwrap } from '@/lib/supabase'

/** A game on Home: of one's own team, or with somebody whom one follows. */
export type HomeGame = Pick<
  GameRow,
  | 'id'
  | 'visitor_name'
  | 'home_name'
  | 'visitor_runs'
  | 'home_runs'
  | 'inning'
  | 'innings'
  | 'batting'
  | 'home_bats_first'
  | 'outs'
  | 'played_on'
  | 'starts_at'
  | 'place'
> & {
  status: string
  bases: boolean[]
  own: boolean
  /** The players whom one follows, by name. */
  followed: string[]
}

/** Milliseconds after which the scores are asked for again while a game is live. */
const LIVE_PAUSE = 20_000

/** The games of a week around today, live ones first. */
export const homeGamesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'games', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('home_games').abortSignal(signal)) as HomeGame[],
    refetchInterval: ({ state }) => (state.data?.some(({ status }) => status === 'live') ? LIVE_PAUSE : false),
  })

/** A measurement beside the one before. */
export type NumberChange = {
  id: string
  player_id: string
  full_name: string
  positions: string[] | null
  grad_year: number | null
  /** The metric, as in percentiles. */
  kind: string
  label: string
  decimals: number
  unit: string
  lower_is_better: boolean
  was: number | null
  now: number
  taken_at: string
  source: string
  verified: boolean
}

/** Days that changes cover. */
export const CHANGE_DAYS = 30

/** The most changes that the database lists; see number_changes() there. */
export const MOST_CHANGES = 20

/** A task of somebody who is new. */
export type FirstTask = { task: string; done: boolean }
