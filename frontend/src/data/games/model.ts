import type { Database } from '@/types/database'

type Tables = Database['public']['Tables']

/** 0 for the visitors, 1 for the home team. */
export type Side = 0 | 1
export const SIDES: readonly Side[] = [0, 1]

/** Somebody who may play in a game. `full_name` is null if the viewer may not know it. */
export type Athlete = {
  id: string
  side: Side
  jersey: string | null
  initial: string
  full_name: string | null
  /** The account, for the link to the profile. */
  user_id: string | null
  order: number | null
  position: number | null
}

/** How a turn at bat ended, as the function `score` says it. */
export type Turn = { result: string; sacrificeHit: boolean; sacrificeFly: boolean; doublePlay: boolean }

/** Bases are numbered 1 to 4, the plate as an origin is 0; `to` is null for an out. */
export type Move = {
  athlete: string
  from: number
  to: number | null
  outAt: number | null
  rbi: boolean
  onError: boolean
}

export type Bases = [string | null, string | null, string | null]

/** What a play did to the chance to win; absent until the server has computed it. */
export type Worth = {
  /** The batter or runner who is credited. */
  player: string
  /** Win probability added for the team at bat. */
  added: number | null
  /** The home team's probability after the play. */
  home: number | null
  leverage: number | null
}

/** The outcome of a play, the column `outcome` of `plays`. */
export type Outcome = {
  inning: number
  batting: Side
  batter: string
  pitcher: string
  turn: Turn | null
  outsBefore: number
  outs: number
  multiplePlay: boolean
  bases: Bases
  score: [number, number]
  runs: number
  moves: Move[]
  win?: Worth
}

/** A record of a game that counts. Only plays have an outcome. */
export type GameRecord = { id: string; record: string; outcome: Outcome | null }

export type Batting = Tables['player_game_batting']['Row']
export type Pitching = Tables['player_game_pitching']['Row']
export type LineScore = Tables['line_scores']['Row']
/** Who made a game and who wrote its place is the team's own matter. */
export type GameRow = Omit<Tables['games']['Row'], 'created_by' | 'place_by'>

/** A game with all that its page shows, except its plays. */
export type Game = GameRow & {
  athletes: ReadonlyMap<string, Athlete>
  lineScores: LineScore[]
  batters: Batting[]
  pitchers: Pitching[]
}

/** "Ann Osei", or "#17 A." for somebody whose name the viewer may not know. */
export function nameOf(athlete: Athlete | undefined): string {
  if (!athlete) return 'Unknown player'
  if (athlete.full_name) return athlete.full_name
  const initial = athlete.initial && `${athlete.initial}.`
  return [athlete.jersey && `#${athlete.jersey}`, initial].filter(Boolean).join(' ') || 'Unnamed player'
}

/** The last name, which is enough within a game; "#17 A." stays whole. */
export function shortNameOf(athlete: Athlete | undefined): string {
  const name = nameOf(athlete)
  const last = athlete?.full_name?.trim().split(/\s+/).at(-1)
  // A guest may be "No. 12".
  return last && !/^\d+$/.test(last) ? last : name
}

/** The state of a game in words: "Top 5", "Bottom 5", "Final". */
export function phase(game: Pick<GameRow, 'status' | 'inning' | 'batting' | 'home_bats_first' | 'innings'>): string {
  if (game.status === 'final') return game.inning === game.innings ? 'Final' : `Final, ${game.inning} innings`
  if (game.status === 'scheduled') return 'Scheduled'
  if (game.status === 'suspended') return 'Suspended'
  if (game.status === 'cancelled') return 'Cancelled'
  return half(game.inning, game.batting, game.home_bats_first)
}

export const half = (inning: number, batting: number, homeFirst = false) =>
  `${(batting === 0) !== homeFirst ? 'Top' : 'Bottom'} ${inning}`
