export type Kind = 'players' | 'teams'

/** What rankings() filters by; a text is empty where everybody is meant. */
export type RankFilters = { state: string; class: string; position: string; league: string }

/** Five weights each, in the order of the run's parts. */
export type Weights = { hitter: readonly number[]; pitcher: readonly number[] }

export type RankView = {
  kind: Kind
  filters: RankFilters
  /** The reader's own; null for the run's. */
  weights: Weights | null
  /** Of teams; null for the latest. */
  season: number | null
}

/** Where a list goes on. */
export type Cursor = { value: number; id: string }

/** What a player's rating is made of: a measurement, a rate, or the height. */
export type Part = {
  part: string
  metric: string
  value: number
  /** Plate appearances, batters or pitches. */
  tries?: number
  percentile: number
  n: number
  group: 'class' | 'position' | 'all'
  source: string
  /** Whether somebody besides the player vouches for it. */
  verified: boolean
  taken_at?: string
  stale?: boolean
  weight: number
  /** What it adds to 50. */
  points: number
}

/** What the games against a team added to 1500. */
export type Opponent = {
  id: string
  /** Null where the team is no longer shown. */
  name: string | null
  wins: number
  losses: number
  ties: number
  points: number
}

type Place = {
  id: string
  name: string
  /** Null below half of the weights. */
  rank: number | null
  previous: number | null
  value: number
  sd: number
  best: number | null
  worst: number | null
  /** The values of up to twelve runs, the oldest first. */
  history: number[]
  state: string | null
}

export type RankedPlayer = Place & {
  positions: string[]
  /** As what the run has rated the player, whatever the positions are now. */
  pitcher: boolean
  class: number | null
  team: string | null
  parts: (Part | null)[]
}

export type RankedTeam = Place & {
  city: string | null
  league: string | null
  wins: number
  losses: number
  ties: number
  elo: number
  rpi: number | null
  provisional: boolean
  why: Opponent[]
}

export type Run = {
  id: string
  season: number | null
  method: string
  params: {
    weights?: Weights
    parts?: { hitter: string[]; pitcher: string[] }
    doubts?: { measured: number; unknown: number }
    games?: number
    home_points?: number
    least_games?: number
  }
  data_hash: string
  created_at: string
}

/** What rankings() answers; supabase/tests/rankings.sql holds it to this. */
export type Rankings<Row> = {
  run: Run | null
  total: number
  /** Players with too little measured, or teams with too few games. */
  unranked: number
  /** Teams: the seasons with a run, the latest first. */
  seasons: number[]
  /** Teams with too few games, on the first page. */
  provisional: Row[]
  /** Teams: how many groups have no game between them. */
  pools: number | null
  rows: Row[]
  you: Row | null
  next: Cursor | null
}

export const isTeam = (row: RankedPlayer | RankedTeam): row is RankedTeam => 'why' in row
export type Ranked = RankedPlayer | RankedTeam

export const PAGE = 50
/** Rows of a file at most. */
export const MOST = 1000
