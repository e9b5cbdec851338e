import { infiniteQueryOptions } from '@tanstack/react-query'
import type { LoggedGame } from '@/data/players/scorebook'
import { supabase, unwrap } from '@/lib/supabase'

export const FOLLOWED_SORTS = ['form', 'name'] as const
export type FollowedSort = (typeof FOLLOWED_SORTS)[number]

/** At bat in the last seven days, and the season's OPS. */
export type Week = { pa: number; ab: number; h: number; ops: number | null; season_ops: number | null }

export type NextGame = {
  id: string
  played_on: string
  starts_at: string | null
  visitor_name: string
  home_name: string
  status: string
}

/** A row of followed_now(). */
export type Followed = {
  id: string
  full_name: string
  role: string
  photo: string | null
  muted: boolean
  since: string
  /** Null for those who are not players. */
  positions: string[] | null
  grad_year: number | null
  state: string | null
  place: number
  /** Null without a plate appearance. */
  week: Week | null
  last_game: LoggedGame | null
  next_game: NextGame | null
}

/** Rows of a page. */
const PAGE = 20

/** Those whom a user follows, with what they do now. Profiles that are no longer visible are left out. */
export const followedQuery = (followerId: string, sort: FollowedSort) =>
  infiniteQueryOptions({
    queryKey: ['players', 'follows', followerId, 'now', sort],
    queryFn: async ({ pageParam, signal }): Promise<Followed[]> => {
      const after = pageParam && {
        after_place: pageParam.place,
        after_name: pageParam.full_name,
        after_id: pageParam.id,
      }
      return unwrap(await supabase.rpc('followed_now', { sort, ...after }).abortSignal(signal)) as unknown as Followed[]
    },
    initialPageParam: null as Pick<Followed, 'place' | 'full_name' | 'id'> | null,
    getNextPageParam: (page) => (page.length < PAGE ? null : page.at(-1)),
  })
