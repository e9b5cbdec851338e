import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import { messageOf } from '@/lib/errors'
import { toast } from '@/ui/toast/toast-state'
import type {
  CoachValues,
  CommitmentValues,
  MeasurementValues,
  PlayerValues,
  ScoutValues,
  VideoValues,
} from '@/features/players/model'
import { followQuery, personKey } from '@/features/players/queries'
import type { BattingValues, PitchingValues } from '@/features/players/season-lines'

/** Tables of which a player's rows can be taken away again. */
export type RemovableTable = 'measurements' | 'batting_lines' | 'pitching_lines' | 'videos' | 'commitments'

/** What an owner does to the own records. Each throws what the server says, for the form to say. */
export function useRecords(id: string) {
  const client = useQueryClient()
  const changed = () => client.invalidateQueries({ queryKey: personKey(id) })
  return {
    savePlayer: async (values: PlayerValues) => {
      const rows = unwrap(await supabase.from('players').update(values).eq('user_id', id).select('user_id'))
      // A fan's or an admin's account begins without such a row.
      if (rows.length === 0)
        await supabase
          .from('players')
          .insert({ user_id: id, ...values })
          .throwOnError()
      await changed()
    },
    saveCoach: async (values: CoachValues) => {
      const rows = unwrap(await supabase.from('coaches').update(values).eq('user_id', id).select('user_id'))
      if (rows.length === 0)
        await supabase
          .from('coaches')
          .insert({ user_id: id, ...values })
          .throwOnError()
      await changed()
    },
    saveScout: async (values: ScoutValues) => {
      const rows = unwrap(await supabase.from('scouts').update(values).eq('user_id', id).select('user_id'))
      if (rows.length === 0)
        await supabase
          .from('scouts')
          .insert({ user_id: id, ...values })
          .throwOnError()
      await changed()
    },
    addMeasurement: async (values: MeasurementValues) => {
      await supabase
        .from('measurements')
        .insert({ player_id: id, ...values })
        .throwOnError()
      await changed()
    },
    addBatting: async (values: BattingValues) => {
      await supabase
        .from('batting_lines')
        .insert({ player_id: id, ...values })
        .throwOnError()
      await changed()
    },
    addPitching: async (values: PitchingValues) => {
      await supabase
        .from('pitching_lines')
        .insert({ player_id: id, ...values })
        .throwOnError()
      await changed()
    },
    addVideo: async (values: VideoValues) => {
      await supabase
        .from('videos')
        .insert({ player_id: id, ...values })
        .throwOnError()
      await changed()
    },
    addCommitment: async (values: CommitmentValues) => {
      await supabase
        .from('commitments')
        .insert({ player_id: id, ...values })
        .throwOnError()
      await changed()
    },
  }
}

export function useRemoveRecord(id: string, table: RemovableTable) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (recordId: string) => {
      await supabase.from(table).delete().eq('id', recordId).throwOnError()
    },
    onSuccess: () => toast({ title: 'Removed', variant: 'success' }),
    onError: (error) =>
      toast({ title: 'Not removed', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: personKey(id) }),
  })
}

export function useVerifyMeasurement(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (measurementId: string) => {
      await supabase.rpc('verify_measurement', { measurement_id: measurementId }).throwOnError()
    },
    onSuccess: () => toast({ title: 'Verified', variant: 'success' }),
    onError: (error) =>
      toast({ title: 'Not verified', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: personKey(id) }),
  })
}

export function useFollow(followerId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (follow: boolean) => {
      if (follow) {
        await supabase.from('follows').insert({ follower_id: followerId, followed_id: id }).throwOnError()
      } else {
        await supabase.from('follows').delete().eq('follower_id', followerId).eq('followed_id', id).throwOnError()
      }
    },
    onMutate: (follow) => void client.setQueryData(followQuery(followerId, id).queryKey, follow),
    onError: (error) =>
      toast({ title: 'That did not work', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['players', 'follows', followerId] }),
  })
}
