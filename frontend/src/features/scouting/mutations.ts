import type { PostgrestError } from '@supabase/supabase-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { explain } from '@/lib/errors'
import { supabase } from '@/lib/supabase'
import { FieldProblem } from '@/ui/record-dialog'
import { toast } from '@/ui/toast/toast-state'
import type { NoteValues } from '@/features/scouting/schemas'
import { SCOUTING_KEY } from '@/features/scouting/queries'

const UNIQUE_VIOLATION = '23505'

/** What forms do. Each throws what the server says, for the form to say. */
export function useScoutingForms() {
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: SCOUTING_KEY })
  return {
    addNote: async (player_id: string, values: NoteValues) => {
      await supabase
        .from('scout_notes')
        .insert({ player_id, ...values })
        .throwOnError()
      await changed()
    },
    saveNote: async (noteId: string, values: NoteValues) => {
      await supabase.from('scout_notes').update(values).eq('id', noteId).throwOnError()
      await changed()
    },
    createList: async ({ name }: { name: string }) => {
      named(await supabase.from('watchlists').insert({ name }))
      await changed()
    },
    renameList: async (listId: string, { name }: { name: string }) => {
      named(await supabase.from('watchlists').update({ name }).eq('id', listId))
      await changed()
    },
    saveWatched: async (listId: string, playerId: string, { note }: { note: string | null }) => {
      await supabase
        .from('watchlist_players')
        .update({ note })
        .eq('watchlist_id', listId)
        .eq('player_id', playerId)
        .throwOnError()
      await changed()
    },
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
