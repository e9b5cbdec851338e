import type { PostgrestError } from '@supabase/supabase-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '@/lib/explain'
import { supabase } from '@/lib/supabase'
import { saving } from '@/data/saving'
import { FieldProblem } from '@/ui/record-dialog'
import { toast } from '@/ui/toast/toast-state'
import { SCOUTING_KEY } from '@/data/scouting/queries'

const UNIQUE_VIOLATION = '23505'

type NoteValues = { body: string; grades: Record<string, number> }

/** What forms do. Each throws what the server says, for the form to say. */
export function useScoutingForms() {
  const client = useQueryClient()
  const save = (work: () => Promise<void>) =>
    saving(client, async () => {
      await work()
      await client.invalidateQueries({ queryKey: SCOUTING_KEY })
    })
  return {
    addNote: (player_id: string, values: NoteValues) =>
      save(async () => {
        await supabase
          .from('scout_notes')
          .insert({ player_id, ...values })
          .throwOnError()
      }),
    saveNote: (noteId: string, values: NoteValues) =>
      save(async () => {
        await supabase.from('scout_notes').update(values).eq('id', noteId).throwOnError()
      }),
    createList: ({ name }: { name: string }) =>
      save(async () => {
        named(await supabase.from('watchlists').insert({ name }))
      }),
    renameList: (listId: string, { name }: { name: string }) =>
      save(async () => {
        named(await supabase.from('watchlists').update({ name }).eq('id', listId))
      }),
    saveWatched: (listId: string, playerId: string, { note }: { note: string | null }) =>
      save(async () => {
        await supabase
          .from('watchlist_players')
          .update({ note })
          .eq('watchlist_id', listId)
          .eq('player_id', playerId)
          .throwOnError()
      }),
  }
}

/** Two lists of one scout have different names. */
function named({ error }: { error: PostgrestError | null }) {
  if (error?.code === UNIQUE_VIOLATION) throw new FieldProblem('name', 'You have a list of this name already.')
  if (error) throw error
}

type Watching = { listId: string; playerId: string; watch: boolean }

/** Puts a player on a list, or takes the player off. */
export const useWatch = () =>
  useScoutingMutation(async ({ listId, playerId, watch }: Watching) => {
    const rows = supabase.from('watchlist_players')
    if (watch) await rows.insert({ watchlist_id: listId, player_id: playerId }).throwOnError()
    else await rows.delete().eq('watchlist_id', listId).eq('player_id', playerId).throwOnError()
  })

export const useRemoveNote = () =>
  useScoutingMutation(async (noteId: string) => {
    await supabase.from('scout_notes').delete().eq('id', noteId).throwOnError()
  })

export const useRemoveList = () =>
  useScoutingMutation(async (listId: string) => {
    await supabase.from('watchlists').delete().eq('id', listId).throwOnError()
  })

function useScoutingMutation<Given>(work: (given: Given) => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onError: (error) =>
      toast({ title: 'That did not work', description: explain(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: SCOUTING_KEY }),
  })
}
