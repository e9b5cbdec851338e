/** The lists among the filters, in the order in which the page shows them. */
export const LISTS = ['class', 'position', 'state', 'bats', 'throws'] as const
export type ListFacet = (typeof LISTS)[number]
export type Facet = ListFacet | 'verified'
/** Least numbers. */
export const LEAST = ['height', 'velocity'] as const

/** What search_players() filters by. */
export type Filters = Partial<Record<ListFacet, string[]>> &
  Partial<Record<(typeof LEAST)[number], number>> & { verified?: true; team?: string }

export type FilterName = keyof Filters

export type CardNumber = {
  metric: string
  label: string
  unit: string
  decimals: number
  value: number
  source: string
  verified: boolean
}

export type PlayerCard = {
  id: string
  name: string
  /** As `profiles.photo`. */
  photo: string | null
  positions: string[]
  class: number | null
  state: string | null
  bats: string | null
  throws: string | null
  /** Inches. */
  height: number | null
  team: string | null
  numbers: CardNumber[]
}

/** More than so many are not counted. */
export const COUNTED = 1000

/** What search_players() answers; supabase/tests/search.sql holds it to this. */
export type SearchPage = {
  /** Above `COUNTED`: more than that. */
  total: number
  players: PlayerCard[]
  /** The key of the last player; null at the end. */
  next: [number, string, string] | null
  /** Counts by value; null where too many match to count them. */
  facets: Record<Facet, Record<string, number> | null | undefined>
  /** Where nothing was found: how many there are without each filter. */
  without: Partial<Record<FilterName, number>>
}

/** In the order of the answer. */
export const SUGGESTION_KINDS = ['player', 'team', 'coach', 'program', 'game', 'article'] as const
export type SuggestionKind = (typeof SUGGESTION_KINDS)[number]
export type Suggestion = { kind: SuggestionKind; id: string; name: string; detail: string }

/** Shorter texts are not searched for. */
export const LEAST_TYPED = 2
/** Longer ones are refused. */
export const MOST_TYPED = 100
