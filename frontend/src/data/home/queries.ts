import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import { bestOf, committed, measured, newest, PROFILE_STEPS, type NewsItem, type ProfileStep } from '@/data/home/feed'

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

/** The current suspension, if there is one. */
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

/** Rows of each list on Home. */
const FEW = 6

/** The keys of all queries of this file. */
export const HOME_KEY = ['home'] as const

/** The steps of a player's profile that are not done yet. */
export const missingStepsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'missing-steps', userId],
    queryFn: async ({ signal }): Promise<ProfileStep[]> => {
      const player = unwrap(
        await supabase
          .from('players')
          .select('positions, grad_year, measurements(id), batting_lines(id), pitching_lines(id), videos(id)')
          .eq('user_id', userId)
          .limit(1, { referencedTable: 'measurements' })
          .limit(1, { referencedTable: 'batting_lines' })
          .limit(1, { referencedTable: 'pitching_lines' })
          .limit(1, { referencedTable: 'videos' })
          .abortSignal(signal)
          .maybeSingle(),
      )
      const done = {
        facts: Boolean(player?.positions.length && player.grad_year),
        measurement: Boolean(player?.measurements.length),
        season: Boolean(player && player.batting_lines.length + player.pitching_lines.length > 0),
        video: Boolean(player?.videos.length),
      }
      return PROFILE_STEPS.filter((step) => !done[step])
    },
  })

/** A player's best percentiles. */
export const bestPercentilesQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'percentiles', userId],
    queryFn: async ({ signal }) => {
      const rows = unwrap(await supabase.rpc('player_percentiles', { player_id: userId }).abortSignal(signal))
      return bestOf(rows)
    },
  })

/** What waits for a coach: requests to join a team, and measurements to verify. */
export const coachTasksQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'coach-tasks', userId],
    queryFn: async ({ signal }) => {
      const mine = supabase.from('team_members').select('team_id').eq('user_id', userId).eq('role', 'coach')
      const [own, asking, measurements] = await Promise.all([
        mine.eq('status', 'active').limit(1).abortSignal(signal),
        supabase
          .from('team_members')
          .select('team_id, user_id, created_at, profiles(full_name), teams!inner(mine:team_members!inner(team_id))')
          .eq('role', 'player')
          .eq('status', 'asked')
          .eq('teams.mine.user_id', userId)
          .eq('teams.mine.role', 'coach')
          .eq('teams.mine.status', 'active')
          .abortSignal(signal),
        supabase
          .from('measurements')
          .select(
            `id, player_id, value, unit, taken_at, measurement_kinds(label, decimals),
            players!inner(profiles!inner(full_name,
              plays:team_members!team_members_user_id_fkey!inner(teams!inner(mine:team_members!inner(team_id)))))`,
          )
          .eq('players.profiles.plays.role', 'player')
          .eq('players.profiles.plays.teams.mine.user_id', userId)
          .eq('players.profiles.plays.teams.mine.role', 'coach')
          .eq('players.profiles.plays.teams.mine.status', 'active')
          .eq('verification_asked', true)
          .is('verified_at', null)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
      ])
      const asked: readonly Asked[] = unwrap(asking)
      return {
        hasTeam: unwrap(own).length > 0,
        asking: asked.map(({ team_id, user_id, profiles, created_at }) => ({
          id: user_id,
          teamId: team_id,
          name: profiles?.full_name ?? null,
          since: created_at,
        })),
        unverified: unwrap(measurements).map((row) => ({ ...row, name: row.players.profiles.full_name })),
      }
    },
  })

/** `profiles` is null if the viewer may not see it. */
type Asked = { team_id: string; user_id: string; created_at: string; profiles: { full_name: string } | null }

/** Joins a player's rows with the user's follows, and adds the player's name. */
const FOLLOWED = 'players!inner(profiles!inner(full_name, follows!follows_followed_id_fkey!inner(muted)))'

/** What is new about the players whom the user follows; null if there are none. */
export const newsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'news', userId],
    queryFn: async ({ signal }): Promise<NewsItem[] | null> => {
      const follows = supabase.from('follows').select('followed_id').eq('follower_id', userId).eq('muted', false)
      const [followed, measurements, videos, commitments] = await Promise.all([
        follows.limit(1).abortSignal(signal),
        supabase
          .from('measurements')
          .select(
            `id, player_id, value, unit, verified_at, taken_at, created_at, measurement_kinds(label, decimals), ${FOLLOWED}`,
          )
          .eq('players.profiles.follows.follower_id', userId)
          .eq('players.profiles.follows.muted', false)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase
          .from('videos')
          .select(`id, player_id, title, recorded_on, created_at, ${FOLLOWED}`)
          .eq('players.profiles.follows.follower_id', userId)
          .eq('players.profiles.follows.muted', false)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
        supabase
          .from('commitments')
          .select(`id, player_id, program, status, committed_on, created_at, ${FOLLOWED}`)
          .eq('players.profiles.follows.follower_id', userId)
          .eq('players.profiles.follows.muted', false)
          .order('created_at', { ascending: false })
          .limit(FEW)
          .abortSignal(signal),
      ])
      if (unwrap(followed).length === 0) return null
      const rows = [
        ...unwrap(measurements).map((row) => ({ ...row, what: measured(row), on: row.taken_at })),
        ...unwrap(videos).map((row) => ({ ...row, what: `Video: ${row.title}`, on: row.recorded_on })),
        ...unwrap(commitments).map((row) => ({ ...row, what: committed(row), on: row.committed_on })),
      ]
      const names = new Map(rows.map(({ player_id, players }) => [player_id, players.profiles.full_name]))
      return newest(rows, names, FEW)
    },
  })

/** Players with a recently verified measurement. */
export const discoverQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'discover', userId],
    queryFn: async ({ signal }) => {
      const verified = unwrap(
        await supabase
          .from('measurements')
          .select(
            `player_id, value, unit, taken_at, measurement_kinds(label, decimals),
            players!inner(positions, grad_year, profiles!inner(full_name))`,
          )
          // No list shows children, not even to those who may open their profile.
          .eq('players.profiles.public_profile', true)
          .not('verified_at', 'is', null)
          .neq('player_id', userId)
          .order('verified_at', { ascending: false })
          .limit(FEW * 10)
          .abortSignal(signal),
      )
      const first = new Map(verified.toReversed().map((row) => [row.player_id, row]))
      const ids = [...new Set(verified.map(({ player_id }) => player_id))].slice(0, FEW)
      return ids.flatMap((id) => {
        const row = first.get(id)
        if (!row) return []
        const { profiles, ...player } = row.players
        return [{ id, name: profiles.full_name, what: measured(row), on: row.taken_at, player }]
      })
    },
  })

/** The figures of an admin's Home. */
export const totalsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'totals', userId],
    queryFn: async ({ signal }) => unwrap(await supabase.rpc('admin_totals').abortSignal(signal))[0] ?? null,
  })
