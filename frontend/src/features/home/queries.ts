import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import {
  bestOf,
  committed,
  measured,
  newest,
  PROFILE_STEPS,
  type NewsItem,
  type ProfileStep,
} from '@/features/home/model'

/** The signed-in user's own row. */
export const ownAccountQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'account', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('users')
          .select('full_name, email, referral_tokens, public_profile, created_at')
          .eq('id', userId)
          .abortSignal(signal)
          .single(),
      ),
  })

/** The suspension that holds now, if there is one. */
export const suspensionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'suspension', userId],
    queryFn: async ({ signal }) =>
      unwrap(
        await supabase
          .from('suspensions')
          .select('reason, suspended_at')
          .eq('user_id', userId)
          .is('lifted_at', null)
          .abortSignal(signal)
          .maybeSingle(),
      ),
  })

/*
 * With a `staleTime` of 0, what is done on other screens shows as soon as Home is opened again.
 */

/** How much of a list Home shows. */
const FEW = 6

type PersonName = { id: string; full_name: string }

const namesOf = (people: readonly PersonName[]) => new Map(people.map(({ id, full_name }) => [id, full_name]))

/** What a player has not told yet. */
export const missingStepsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'missing-steps', userId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<ProfileStep[]> => {
      const of = (table: 'measurements' | 'batting_lines' | 'pitching_lines' | 'videos') =>
        supabase.from(table).select('id').eq('player_id', userId).limit(1).abortSignal(signal)
      const [player, ...lists] = await Promise.all([
        supabase.from('players').select('positions, grad_year').eq('user_id', userId).abortSignal(signal).maybeSingle(),
        of('measurements'),
        of('batting_lines'),
        of('pitching_lines'),
        of('videos'),
      ])
      const facts = unwrap(player)
      const [measured, batted, pitched, filmed] = lists.map((list) => unwrap(list).length > 0)
      const done = {
        facts: Boolean(facts?.positions.length && facts.grad_year),
        measurement: measured,
        season: batted || pitched,
        video: filmed,
      }
      return PROFILE_STEPS.filter((step) => !done[step])
    },
  })

/** Where a player stands best. */
export const bestPercentilesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'percentiles', userId],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const rows = unwrap(await supabase.rpc('player_percentiles', { player_id: userId }).abortSignal(signal))
      return bestOf(rows)
    },
  })

/** What waits for a coach: players who ask to join, and numbers to be verified. */
export const coachTasksQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'coach-tasks', userId],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const own = supabase.from('team_members').select('team_id').eq('user_id', userId).eq('role', 'coach')
      const teams = unwrap(await own.eq('status', 'active').abortSignal(signal)).map(({ team_id }) => team_id)
      if (teams.length === 0) return { hasTeam: false, asking: [], unverified: [] }
      const roster = unwrap(
        await supabase
          .from('team_members')
          .select('user_id, status, created_at')
          .in('team_id', teams)
          .eq('role', 'player')
          .abortSignal(signal),
      )
      const ids = roster.map(({ user_id }) => user_id)
      const [measurements, people] = await Promise.all([
        supabase
          .from('measurements')
          .select('id, player_id, value, unit, taken_at, measurement_kinds(label, decimals)')
          .in('player_id', ids)
          .eq('verification_asked', true)
          .is('verified_at', null)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase.from('profiles').select('id, full_name').in('id', ids).abortSignal(signal),
      ])
      const names = namesOf(unwrap(people))
      return {
        hasTeam: true,
        asking: roster
          .filter(({ status }) => status === 'asked')
          .map(({ user_id, created_at }) => ({ id: user_id, name: names.get(user_id) ?? null, since: created_at })),
        unverified: unwrap(measurements).map((row) => ({ ...row, name: names.get(row.player_id) ?? 'A player' })),
      }
    },
  })

/** The latest of those whom the user follows; null while that is nobody. */
export const newsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'news', userId],
    staleTime: 0,
    queryFn: async ({ signal }): Promise<NewsItem[] | null> => {
      const follows = supabase.from('follows').select('followed_id').eq('follower_id', userId).eq('muted', false)
      const ids = unwrap(await follows.abortSignal(signal)).map(({ followed_id }) => followed_id)
      if (ids.length === 0) return null
      const [measurements, videos, commitments, people] = await Promise.all([
        supabase
          .from('measurements')
          .select('id, player_id, value, unit, verified_at, taken_at, created_at, measurement_kinds(label, decimals)')
          .in('player_id', ids)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase
          .from('videos')
          .select('id, player_id, title, recorded_on, created_at')
          .in('player_id', ids)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase
          .from('commitments')
          .select('id, player_id, program, status, committed_on, created_at')
          .in('player_id', ids)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase.from('profiles').select('id, full_name').in('id', ids).abortSignal(signal),
      ])
      const names = namesOf(unwrap(people))
      const rows = [
        ...unwrap(measurements).map((row) => ({ ...row, what: measured(row), on: row.taken_at })),
        ...unwrap(videos).map((row) => ({ ...row, what: `Video: ${row.title}`, on: row.recorded_on })),
        ...unwrap(commitments).map((row) => ({ ...row, what: committed(row), on: row.committed_on })),
      ]
      return newest(rows, names, FEW)
    },
  })

/** Players of whom something was verified lately, each once. */
export const discoverQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'discover', userId],
    queryFn: async ({ signal }) => {
      const verified = unwrap(
        await supabase
          .from('measurements')
          .select(
            'player_id, value, unit, taken_at, measurement_kinds(label, decimals), players!inner(profiles!inner(id))',
          )
          // What one may open oneself is not yet public: children stand in no list.
          .eq('players.profiles.public_profile', true)
          .not('verified_at', 'is', null)
          .neq('player_id', userId)
          .order('verified_at', { ascending: false })
          .limit(FEW * 10)
          .abortSignal(signal),
      )
      const first = new Map(verified.toReversed().map((row) => [row.player_id, row]))
      const ids = [...new Set(verified.map(({ player_id }) => player_id))].slice(0, FEW)
      if (ids.length === 0) return []
      const [people, players] = await Promise.all([
        supabase.from('profiles').select('id, full_name').in('id', ids).abortSignal(signal),
        supabase.from('players').select('user_id, positions, grad_year').in('user_id', ids).abortSignal(signal),
      ])
      const names = namesOf(unwrap(people))
      const facts = new Map(unwrap(players).map((player) => [player.user_id, player]))
      return ids.flatMap((id) => {
        const [name, row] = [names.get(id), first.get(id)]
        return name && row ? [{ id, name, what: measured(row), on: row.taken_at, player: facts.get(id) ?? null }] : []
      })
    },
  })

/** What an admin looks at first. */
export const totalsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'totals', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_totals').abortSignal(signal))[0] ?? null,
  })
