import { queryOptions, useQueryClient } from '@tanstack/react-query'
import type { Letter, LetterFacts } from '@/data/college/model'
import { COLLEGE_KEY } from '@/data/college/queries'
import { saving } from '@/data/saving'
import { supabase, unwrap } from '@/lib/supabase'

export const lettersQuery = (playerId: string) =>
  queryOptions({
    queryKey: [...COLLEGE_KEY, 'letters', playerId],
    queryFn: async ({ signal }): Promise<Letter[]> =>
      unwrap(
        await supabase
          .from('college_letters')
          .select('id, title, body')
          .eq('player_id', playerId)
          .order('title')
          .abortSignal(signal),
      ),
  })

/** The facts about the player that fill a letter: the profile and the verified numbers. */
export const letterFactsQuery = (playerId: string) =>
  queryOptions({
    queryKey: [...COLLEGE_KEY, 'letter-facts', playerId],
    queryFn: async ({ signal }): Promise<LetterFacts> => {
      const [player, numbers, kinds] = await Promise.all([
        supabase
          .from('players')
          .select('positions, bats, throws, height_in, weight_lb, hometown, player_academics(school)')
          .eq('user_id', playerId)
          .abortSignal(signal)
          .single()
          .then(unwrap),
        supabase
          .from('player_numbers')
          .select('metric, value')
          .eq('player_id', playerId)
          .eq('verified', true)
          .abortSignal(signal)
          .then(unwrap),
        supabase
          .from('measurement_kinds')
          .select('kind, label, unit, decimals')
          .eq('active', true)
          .order('position')
          .abortSignal(signal)
          .then(unwrap),
      ])
      const { player_academics, ...facts } = player
      return {
        ...facts,
        school: player_academics?.school ?? null,
        numbers: kinds.flatMap(({ kind, ...words }) =>
          numbers.filter(({ metric }) => metric === kind).map(({ value }) => ({ ...words, value })),
        ),
      }
    },
  })

/** Saves a letter under its title, replacing an earlier one. Throws the server's error. */
export function useSaveLetter(playerId: string) {
  const client = useQueryClient()
  return ({ title, body }: Omit<Letter, 'id'>) =>
    saving(client, async () => {
      const letters = supabase.from('college_letters')
      const { data } = await letters
        .update({ body })
        .eq('player_id', playerId)
        .eq('title', title)
        .select('id')
        .throwOnError()
      if (data.length === 0) await letters.insert({ player_id: playerId, title, body }).throwOnError()
      await client.invalidateQueries({ queryKey: COLLEGE_KEY })
    })
}

export function useRemoveLetter() {
  const client = useQueryClient()
  return (id: string) =>
    saving(client, async () => {
      await supabase.from('college_letters').delete().eq('id', id).throwOnError()
      await client.invalidateQueries({ queryKey: COLLEGE_KEY })
    })
}
