import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { LEAST, LISTS, type Filters } from '@/data/search/model'
import { saving } from '@/data/saving'
import { explain } from '@/lib/explain'
import { isRecord } from '@/lib/is-record'
import { supabase, unwrap } from '@/lib/supabase'
import type { Json } from '@/types/database'
import { FieldProblem } from '@/ui/record-dialog'
import { toast } from '@/ui/toast/toast-state'

/** A search that runs once a day and notifies the user of the number of new players. */
export type SavedSearch = { id: string; name: string; query: string; filters: Filters; notify: boolean }

const SAVED_KEY = ['search', 'saved'] as const
const UNIQUE_VIOLATION = '23505'

export const savedSearchesQuery = (userId: string) =>
  queryOptions({
    queryKey: [...SAVED_KEY, userId],
    queryFn: async ({ signal }): Promise<SavedSearch[]> => {
      const rows = unwrap(
        await supabase
          .from('saved_searches')
          .select('id, name, query, filters, notify')
          .order('name')
          .abortSignal(signal),
      )
      return rows.map((row) => ({ ...row, filters: readFilters(row.filters) }))
    },
  })

/** The saved filters, without those that this version of the page does not know. */
function readFilters(saved: Json): Filters {
  const filters: Filters = {}
  if (!isRecord(saved)) return filters
  for (const name of LISTS) {
    const values: unknown = saved[name]
    if (Array.isArray(values)) filters[name] = values.map(String)
  }
  for (const name of LEAST) if (typeof saved[name] === 'number') filters[name] = saved[name]
  if (saved.verified === true) filters.verified = true
  if (typeof saved.team === 'string') filters.team = saved.team
  return filters
}

type Given = { query: string; filters: Filters }

/** Saves a search. Throws the server's error, which the form shows. */
export function useSaveSearch() {
  const client = useQueryClient()
  return ({ query, filters }: Given, { name }: { name: string }) =>
    saving(client, async () => {
      const { error } = await supabase.from('saved_searches').insert({ name, query, filters })
      if (error?.code === UNIQUE_VIOLATION) throw new FieldProblem('name', 'You have a search of this name already.')
      if (error) throw error
      await client.invalidateQueries({ queryKey: SAVED_KEY })
    })
}

export const useNotifyOfSearch = () =>
  useSavedMutation(async ({ id, notify }: Pick<SavedSearch, 'id' | 'notify'>) => {
    await supabase.from('saved_searches').update({ notify }).eq('id', id).throwOnError()
  })

export const useRemoveSearch = () =>
  useSavedMutation(async (id: string) => {
    await supabase.from('saved_searches').delete().eq('id', id).throwOnError()
  })

function useSavedMutation<Given>(work: (given: Given) => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onError: (error) =>
      toast({ variant: 'error', title: 'That was not saved', description: explain(error, 'Please try again.') }),
    onSettled: () => client.invalidateQueries({ queryKey: SAVED_KEY }),
  })
}
