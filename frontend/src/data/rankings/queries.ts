import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import type { Json } from '@/types/database'
import { MOST, PAGE, type Cursor, type Ranked, type Rankings, type RankView } from '@/data/rankings/model'

export const RANKINGS_KEY = ['rankings'] as const
/** Rows of a request for a file. */
const FILE_PAGE = 200

async function load(
  { kind, filters, weights, season }: RankView,
  after: Cursor | null,
  places: number,
  signal?: AbortSignal,
) {
  const { state, league } = filters
  const request = supabase.rpc('rankings', {
    kind,
    filters: kind === 'teams' ? { state, league } : { state, class: filters.class, position: filters.position },
    weights: weights as Json,
    after,
    places,
    season: kind === 'teams' && season !== null ? season : undefined,
  })
  return unwrap(await (signal ? request.abortSignal(signal) : request)) as unknown as Rankings<Ranked>
}

/** The last run, 50 rows a page. */
export const rankingsQuery = (view: RankView) =>
  infiniteQueryOptions({
    queryKey: [...RANKINGS_KEY, view],
    queryFn: ({ pageParam, signal }) => load(view, pageParam, PAGE, signal),
    initialPageParam: null as Cursor | null,
    getNextPageParam: ({ next }) => next,
    // Players and teams are not drawn alike.
    placeholderData: (data, query) => {
      const before = query?.queryKey.at(-1)
      const same = typeof before === 'object' && 'kind' in before && before.kind === view.kind
      return same ? keepPreviousData(data) : undefined
    },
  })

/** The first thousand rows, for a file. */
export async function loadRanked(view: RankView): Promise<Ranked[]> {
  const rows: Ranked[] = []
  let after: Cursor | null = null
  do {
    const page: Rankings<Ranked> = await load(view, after, FILE_PAGE)
    rows.push(...page.rows)
    after = page.next
  } while (after && rows.length < MOST)
  return rows
}
