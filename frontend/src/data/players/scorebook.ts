import { queryOptions } from '@tanstack/react-query'
import { OPENED_PROFILE, personKey } from '@/data/players/queries'
import { supabase, unwrap } from '@/lib/supabase'

type BookedSeason = {
  season: number
  /** A season's name beside its year, such as `Fall`; usually empty. */
  name: string
  team_id: string
  team: string
  /** Whether a verified coach wrote the team's name. Leaderboards and percentiles leave the others out. */
  vetted: boolean
  g: number
}

export type BookedBatting = BookedSeason &
  Record<
    'pa' | 'ab' | 'r' | 'h' | 'doubles' | 'triples' | 'hr' | 'rbi' | 'bb' | 'so' | 'hbp' | 'sf' | 'sb' | 'cs',
    number
  >

export type BookedPitching = BookedSeason &
  Record<'gs' | 'w' | 'l' | 'sv' | 'outs' | 'bfp' | 'h' | 'r' | 'er' | 'hr' | 'bb' | 'so', number>

export type LoggedGame = {
  id: string
  played_on: string
  home: boolean
  opponent: string
  /** Of the player's side, and of the other one. */
  runs: number
  allowed: number
  batting: Record<'pa' | 'ab' | 'r' | 'h' | 'doubles' | 'triples' | 'hr' | 'rbi' | 'bb' | 'so' | 'sb', number> | null
  pitching:
    (Record<'outs' | 'h' | 'r' | 'er' | 'bb' | 'so' | 'w' | 'l' | 'sv', number> & { pitches: number | null }) | null
}

/** What scorebook_of() answers; supabase/tests/scorebook.sql holds it to this. */
export type Scorebook = { batting: BookedBatting[]; pitching: BookedPitching[]; games: LoggedGame[] }

/** The player's seasons and last 20 games in public scorebooks that the viewer may read. */
export const scorebookQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'scorebook'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase.rpc('scorebook_of', { player: id }).setHeader(OPENED_PROFILE, id).abortSignal(signal),
      ) as unknown as Scorebook,
  })
