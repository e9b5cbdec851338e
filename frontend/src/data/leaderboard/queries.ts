import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import { MOST, PAGE, type Leaderboard, type LeaderCursor, type LeaderView } from '@/data/leaderboard/model'

/** A page of a leaderboard, with the view that it answers: while the next one loads, the last is still shown. */
export type Board = Leaderboard & { view: LeaderView }

async function load(
  view: LeaderView,
  after: LeaderCursor | null,
  places: number,
  signal?: AbortSignal,
): Promise<Board> {
  const { stat, season, filters, evidence, minimum } = view
  const request = supabase.rpc('leaderboard', {
    metric: stat,
    season: season ?? undefined,
    filters,
    evidence,
    minimum: minimum ?? undefined,
    after,
    places,
  })
  const answer = unwrap(await (signal ? request.abortSignal(signal) : request)) as unknown as Leaderboard
  return { ...answer, view }
}

/** A leaderboard, 50 rows a page. */
export const leaderboardQuery = (view: LeaderView) =>
  infiniteQueryOptions({
    queryKey: ['leaderboard', view],
    queryFn: ({ pageParam, signal }) => load(view, pageParam, PAGE, signal),
    initialPageParam: null as LeaderCursor | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })

/** All rows of a leaderboard that are listed, for a file. */
export const loadAllLeaders = async (view: LeaderView) => (await load(view, null, MOST)).rows
