import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

/** Prefix of all keys about one person, so that one invalidation covers them. */
export const personKey = (id: string) => ['players', id] as const

/**
 * The header that names whose page is read. The database shows a player under 13 to a verified coach or scout only in requests
 * that name the child, so that nobody lists children.
 */
export const OPENED_PROFILE = 'x-opened-profile'

/** A person's public profile; null if the person has no profile or the viewer may not see it. */
export const profileQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'profile'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('profiles')
          .select('id, full_name, role, photo')
          .eq('id', id)
          .setHeader(OPENED_PROFILE, id)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

export const playerQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'player'],
    queryFn: async ({ signal }) => {
      const rows = supabase.from('players').select('*, player_academics(school, gpa)').eq('user_id', id)
      const player = unwrap(await rows.setHeader(OPENED_PROFILE, id).abortSignal(signal).maybeSingle())
      return withAcademics(player)
    },
  })

type Academics = { player_academics: { school: string | null; gpa: number | null } | null }

/** Adds school and GPA; null if the viewer may not read them. */
function withAcademics<Player extends Academics>(player: Player | null) {
  if (!player) return null
  const { player_academics: academics, ...rest } = player
  return { ...rest, school: academics?.school ?? null, gpa: academics?.gpa ?? null }
}

export const coachQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'coach'],
    queryFn: async ({ signal }) =>
      unwrap(await supabase.from('coaches').select('*').eq('user_id', id).abortSignal(signal).maybeSingle()),
  })

/** Whether `voucherId` has vouched for a coach. */
export const vouchQuery = (voucherId: string, coachId: string) =>
  queryOptions({
    queryKey: [...personKey(coachId), 'vouched-by', voucherId],
    queryFn: async ({ signal }) => {
      const rows = supabase.from('coach_vouches').select('id').eq('coach_id', coachId).eq('voucher_id', voucherId)
      return unwrap(await rows.abortSignal(signal)).length > 0
    },
  })

export const scoutQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'scout'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('scouts')
          .select('user_id, org, regions, bio, verified_at, updated_at')
          .eq('user_id', id)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/** The kinds of measurements, in the order in which they are shown. */
export const kindsQuery = queryOptions({
  queryKey: ['players', 'kinds'],
  queryFn: async ({ signal }) =>
    unwrap(await supabase.from('measurement_kinds').select('*').order('position').abortSignal(signal)),
  staleTime: Infinity,
})

/** A player's measurements, latest first, with the names of their authors and verifiers if those are visible. */
export const measurementsQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'measurements'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('measurements')
          .select(
            `*, measurement_kinds(label, decimals), author:profiles!measurements_created_by_fkey(full_name),
            verifier:profiles!measurements_verified_by_fkey(full_name)`,
          )
          .eq('player_id', id)
          .setHeader(OPENED_PROFILE, id)
          .order('taken_at', { ascending: false })
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
  })

type Measured = Awaited<ReturnType<NonNullable<ReturnType<typeof measurementsQuery>['queryFn']>>>[number]
/** `measurement_kinds` is null for kinds that are no longer offered. */
export type Measurement = Omit<Measured, 'measurement_kinds'> & {
  measurement_kinds: Measured['measurement_kinds'] | null
}

/** Whether `viewerId` coaches a team in which the player plays; the database decides what that allows. */
export const coachesQuery = (viewerId: string, playerId: string) =>
  queryOptions({
    queryKey: [...personKey(playerId), 'coached-by', viewerId],
    queryFn: async ({ signal }) => {
      const shared = unwrap(
        await supabase
          .from('team_members')
          .select('team_id, teams!inner(mine:team_members!inner(team_id))')
          .eq('user_id', playerId)
          .eq('role', 'player')
          .eq('status', 'active')
          .eq('teams.mine.user_id', viewerId)
          .eq('teams.mine.role', 'coach')
          .eq('teams.mine.status', 'active')
          .limit(1)
          .abortSignal(signal),
      )
      return shared.length > 0
    },
  })

export const battingQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'batting'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('batting_lines')
          .select('*')
          .eq('player_id', id)
          .setHeader(OPENED_PROFILE, id)
          .order('season', { ascending: false })
          .abortSignal(signal),
      ),
  })

export const pitchingQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'pitching'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('pitching_lines')
          .select('*')
          .eq('player_id', id)
          .setHeader(OPENED_PROFILE, id)
          .order('season', { ascending: false })
          .abortSignal(signal),
      ),
  })

export const videosQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'videos'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('videos')
          .select('id, title, url, path, recorded_on')
          .eq('player_id', id)
          .setHeader(OPENED_PROFILE, id)
          .order('created_at', { ascending: false })
          .abortSignal(signal),
      ),
  })

export const commitmentsQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'commitments'],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('commitments')
          .select('id, program, status, committed_on')
          .eq('player_id', id)
          .setHeader(OPENED_PROFILE, id)
          .order('committed_on', { ascending: false })
          .abortSignal(signal),
      ),
  })

type PercentileRow = Database['public']['Functions']['player_percentiles']['Returns'][number]
/** Below five players there is no percentile. Class and position are null if the comparison includes other ones. */
export type Percentile = Omit<PercentileRow, 'percentile' | 'class' | 'position' | 'taken_at' | 'tries' | 'season'> & {
  percentile: number | null
  class: number | null
  position: string | null
  /** Of a measurement. */
  taken_at: string | null
  /** Of a rate: its plate appearances or outs, and its season. */
  tries: number | null
  season: number | null
}

/** The player's percentiles and their comparison groups. */
export const percentilesQuery = (id: string) =>
  queryOptions({
    queryKey: [...personKey(id), 'percentiles'],
    queryFn: async ({ signal }): Promise<Percentile[]> =>
      unwrap(
        await supabase.rpc('player_percentiles', { player_id: id }).setHeader(OPENED_PROFILE, id).abortSignal(signal),
      ),
  })

/** Whether `followerId` follows the person with the given id. */
export const followQuery = (followerId: string, id: string) =>
  queryOptions({
    queryKey: ['players', 'follows', followerId, id],
    queryFn: async ({ signal }) => {
      const rows = supabase.from('follows').select('followed_id').eq('follower_id', followerId).eq('followed_id', id)
      return unwrap(await rows.abortSignal(signal)).length > 0
    },
  })
