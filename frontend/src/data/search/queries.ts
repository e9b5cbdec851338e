import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import {
  LEAST_TYPED,
  SUGGESTION_KINDS,
  type Filters,
  type SearchPage,
  type Suggestion,
  type SuggestionKind,
} from '@/data/search/model'

/** Public players by name and filters, 20 a page. */
export const playersQuery = (query: string, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['search', 'players', query, filters],
    queryFn: async ({ pageParam, signal }) => {
      const answer = await supabase
        .rpc('search_players', { query, filters, after: pageParam ?? undefined })
        .abortSignal(signal)
      return unwrap(answer) as unknown as SearchPage
    },
    initialPageParam: null as SearchPage['next'],
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })

const isKind = (kind: string): kind is SuggestionKind => SUGGESTION_KINDS.some((known) => known === kind)

/** What matches a text: up to `most` of each kind. */
export const suggestionsQuery = (query: string, most: number, kinds?: SuggestionKind[]) =>
  queryOptions({
    queryKey: ['search', 'suggestions', query, most, kinds],
    queryFn: async ({ signal }): Promise<Suggestion[]> => {
      const rows = unwrap(await supabase.rpc('search_suggest', { query, most, kinds }).abortSignal(signal))
      return rows.flatMap(({ kind, ...row }) => (isKind(kind) ? [{ ...row, kind }] : []))
    },
    enabled: query.length >= LEAST_TYPED,
    placeholderData: keepPreviousData,
  })

/** A team's name, for the filter by team; null if it is closed or not shown. */
export const teamNameQuery = (id: string) =>
  queryOptions({
    queryKey: ['search', 'team', id],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.from('teams').select('name').eq('id', id).abortSignal(signal).maybeSingle())?.name ?? null,
  })
