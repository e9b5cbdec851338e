/** What leaderboard() filters by; a text is empty where everybody is meant. */
export type LeaderFilters = { class: string; position: string; state: string; age: string }

export type LeaderView = {
  /** A kind of measurement or a statistic of a season. */
  stat: string
  /** Null: the last one there is. */
  season: number | null
  filters: LeaderFilters
  evidence: 'verified' | 'all'
  /** Plate appearances or outs; null: the usual ones. */
  minimum: number | null
}

export type Leader = {
  /** Null for those who lack tries. */
  rank: number | null
  id: string
  name: string
  positions: string[]
  class: number | null
  state: string | null
  team: string | null
  value: number
  /** Plate appearances or outs; null for measurements. */
  tries: number | null
  /** How many more tries would qualify. */
  needs: number | null
  /** Null below 20 players. */
  percentile: number | null
  source: string
  verified: boolean
  taken_at: string | null
  /** Five to twelve values up to this one, the oldest first: by game, or by measurement. Null in files, too. */
  trail: number[] | null
}

/** The keyset cursor: the last row of the page. */
export type LeaderCursor = { qualifies: boolean; value: number; id: string }

export type Histogram = { least: number; width: number; counts: number[] }

/** What leaderboard() answers; supabase/tests/leaderboard.sql holds it to this. */
export type Leaderboard = {
  rows: Leader[]
  next: LeaderCursor | null
  you: Leader | null
  /** Whether the user is left out of lists of all ages, because of an age under 14 on January 1. */
  young: boolean
  season: number | null
  minimum: number
  lower_is_better: boolean
  qualified: number
  unqualified: number
  /** How many more there are whose numbers nobody has verified: self-reported ones, and those of devices. */
  unverified: number
  average: number | null
  histogram: Histogram | null
}

export const PAGE = 50
/** Rows that a board lists at most. */
export const MOST = 1000
