import type { PostgrestError } from '@supabase/supabase-js'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import { saving } from '@/data/saving'
import { messageOf } from '@/lib/errors'
import { explain } from '@/lib/explain'
import { FieldProblem } from '@/ui/record-dialog'
import { toast } from '@/ui/toast/toast-state'
import { HOME_KEY } from '@/data/home/queries'
import { followQuery, personKey } from '@/data/players/queries'
import type { Database } from '@/types/database'

type Tables = Database['public']['Tables']
/** The columns that a form provides: all but the owner's id. */
type Values<Table extends keyof Tables> = Omit<Tables[Table]['Insert'], 'user_id' | 'player_id'>
type PlayerValues = Values<'players'> & { school: string | null; gpa: number | null }

const UNIQUE_VIOLATION = '23505'

/** Tables from which a player's rows can be removed. */
export type RemovableTable = 'measurements' | 'batting_lines' | 'pitching_lines' | 'videos' | 'commitments'

/** An owner's changes. Each throws the server's error for the form to show. */
export function useRecords(id: string) {
  const client = useQueryClient()
  const save: Save = (work) =>
    saving(client, async () => {
      await work()
      await client.invalidateQueries({ queryKey: personKey(id) })
    })
  return { ...ofProfile(id, save), ...ofSeasons(id, save), ...ofRecords(id, save) }
}

type Save = (work: () => Promise<void>) => Promise<void>

const ofProfile = (id: string, save: Save) => ({
  savePlayer: ({ school, gpa, ...values }: PlayerValues) =>
    save(async () => {
      const rows = unwrap(await supabase.from('players').update(values).eq('user_id', id).select('user_id'))
      // A fan's or an admin's account begins without such a row.
      if (rows.length === 0)
        await supabase
          .from('players')
          .insert({ user_id: id, ...values })
          .throwOnError()
      await supabase.from('player_academics').upsert({ user_id: id, school, gpa }).throwOnError()
    }),
  saveCoach: (values: Values<'coaches'>) =>
    save(async () => {
      const rows = unwrap(await supabase.from('coaches').update(values).eq('user_id', id).select('user_id'))
      if (rows.length === 0)
        await supabase
          .from('coaches')
          .insert({ user_id: id, ...values })
          .throwOnError()
    }),
  saveScout: (values: Values<'scouts'>) =>
    save(async () => {
      const rows = unwrap(await supabase.from('scouts').update(values).eq('user_id', id).select('user_id'))
      if (rows.length === 0)
        await supabase
          .from('scouts')
          .insert({ user_id: id, ...values })
          .throwOnError()
    }),
})

const ofSeasons = (id: string, save: Save) => ({
  addBatting: (values: Values<'batting_lines'>) =>
    save(async () => {
      once(await supabase.from('batting_lines').insert({ player_id: id, ...values }))
    }),
  saveBatting: (lineId: string, values: Values<'batting_lines'>) =>
    save(async () => {
      once(await supabase.from('batting_lines').update(values).eq('id', lineId))
    }),
  addPitching: (values: Values<'pitching_lines'>) =>
    save(async () => {
      once(await supabase.from('pitching_lines').insert({ player_id: id, ...values }))
    }),
  savePitching: (lineId: string, values: Values<'pitching_lines'>) =>
    save(async () => {
      once(await supabase.from('pitching_lines').update(values).eq('id', lineId))
    }),
})

const ofRecords = (id: string, save: Save) => ({
  addMeasurement: (values: Values<'measurements'>) =>
    save(async () => {
      await supabase
        .from('measurements')
        .insert({ player_id: id, ...values })
        .throwOnError()
    }),
  addCoachMeasurement: (values: Omit<Values<'measurements'>, 'source'>) =>
    save(async () => {
      await supabase
        .from('measurements')
        .insert({ player_id: id, source: 'coach', ...values })
        .throwOnError()
    }),
  addVideo: (values: Values<'videos'>) =>
    save(async () => {
      await supabase
        .from('videos')
        .insert({ player_id: id, ...values })
        .throwOnError()
    }),
  addCommitment: (values: Values<'commitments'>) =>
    save(async () => {
      await supabase
        .from('commitments')
        .insert({ player_id: id, ...values })
        .throwOnError()
    }),
})

/** A season with one team in one league is one line. */
function once({ error }: { error: PostgrestError | null }) {
  if (error?.code === UNIQUE_VIOLATION) {
    throw new FieldProblem('season', 'This season with this team is there already: edit that line.')
  }
  if (error) throw error
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

/** A change by one click, which a toast confirms. */
function usePersonMutation<Given>(id: string, work: (given: Given) => Promise<void>, done: (given: Given) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onSuccess: (_, given) => toast({ title: done(given), variant: 'success' }),
    onError: (error) =>
      toast({
        title: 'That did not work',
        description: explain(error, 'Please try again.'),
        variant: 'error',
      }),
    onSettled: () => client.invalidateQueries({ queryKey: personKey(id) }),
  })
}

type Verification = { measurement_id: string; verified: boolean }

/**
 * A coach of the player's team verifies a number, or takes that back. Undone within a minute, the player's request is open
 * again.
 */
export function useVerifyMeasurement(id: string) {
  const client = useQueryClient()
  const mutation = useMutation({
    mutationFn: async (given: Verification) => {
      await supabase.rpc('verify_measurement', given).throwOnError()
    },
    onSuccess: (_, { measurement_id, verified }) => {
      toast({
        title: verified ? 'Verified' : 'Verification taken back',
        variant: 'success',
        ...(verified && { button: { ...UNDO, onPress: () => mutation.mutate({ measurement_id, verified: false }) } }),
      })
    },
    onError: (error) =>
      toast({ title: 'That did not work', description: explain(error, 'Please try again.'), variant: 'error' }),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: personKey(id) }),
        // What waits for the coach.
        client.invalidateQueries({ queryKey: HOME_KEY }),
      ]),
  })
  return mutation
}

const UNDO = { label: 'Undo', otherwise: 'Press F8 to reach Undo, or take the verification back on the profile.' }

/** A verified coach vouches for another, or takes that back. */
export const useVouch = (id: string) =>
  usePersonMutation(
    id,
    async (vouched: boolean) => {
      await supabase.rpc('vouch_for_coach', { user_id: id, vouched }).throwOnError()
    },
    (vouched) => (vouched ? 'Your word is noted: two verified coaches verify' : 'Your word is taken back'),
  )

/** The player asks the coaches of the team to verify a number, or no longer does. */
export const useAskVerification = (id: string) =>
  usePersonMutation(
    id,
    async ({ measurementId, asked }: { measurementId: string; asked: boolean }) => {
      await supabase.from('measurements').update({ verification_asked: asked }).eq('id', measurementId).throwOnError()
    },
    ({ asked }) => (asked ? 'Your coaches see that you ask' : 'Your request is taken back'),
  )

/** Whether coaches of the team may add measurements. */
export const useAcceptCoachStats = (id: string) =>
  usePersonMutation(
    id,
    async (accept_coach_stats: boolean) => {
      await supabase.from('players').update({ accept_coach_stats }).eq('user_id', id).throwOnError()
    },
    () => 'Saved',
  )

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
    onError: (error, follow) => {
      client.setQueryData(followQuery(followerId, id).queryKey, !follow)
      toast({ title: 'That did not work', description: explain(error, 'Please try again.'), variant: 'error' })
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['players', 'follows', followerId] }),
  })
}

/** Mutes or unmutes a followed person. */
export function useMute(followerId: string, id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (muted: boolean) => {
      const follow = supabase.from('follows').update({ muted }).eq('follower_id', followerId).eq('followed_id', id)
      await follow.throwOnError()
    },
    onError: (error) =>
      toast({ title: 'That did not work', description: messageOf(error, 'Please try again.'), variant: 'error' }),
    onSettled: () => client.invalidateQueries({ queryKey: ['players', 'follows', followerId] }),
  })
}
