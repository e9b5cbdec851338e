import { queryOptions } from '@tanstack/react-query'
import { supabase, unwrap } from '@/lib/supabase'
import type { Role } from '@/lib/role'
import type { Board, Level, Period, Program, Target, Task } from '@/data/college/model'

export const COLLEGE_KEY = ['college'] as const

/** All programs: fewer than a thousand, which change once a year. */
export const programsQuery = queryOptions({
  queryKey: ['programs'],
  queryFn: async ({ signal }): Promise<Program[]> =>
    unwrap(
      await supabase
        .from('programs')
        .select('id, name, institution, state, division, conference, rpi_rank, roster_size, budget_percentile')
        .order('division')
        .order('rpi_rank', { nullsFirst: false })
        .order('name')
        .abortSignal(signal),
    ),
  staleTime: Infinity,
})

export const levelsQuery = queryOptions({
  queryKey: ['programs', 'levels'],
  queryFn: async ({ signal }): Promise<Level[]> =>
    unwrap(
      await supabase
        .from('program_levels')
        .select('role, stat, first_rank, last_rank, n, per_team, quantiles')
        .in('stat', ['woba', 'k_bb_rate'])
        .order('first_rank')
        .abortSignal(signal),
    ),
  staleTime: Infinity,
})

type Facts = { state: string | null; grad_year: number | null; position_group: string | null }
/** Null where the coach with whom a board is shared may not see the profile. */
type Planned = (Facts & { profiles: { full_name: string } | null }) | null

/** The boards that the user keeps, for themselves or a ward, and those that players have shared with their coach. */
export const boardsQuery = (userId: string, role: Role | undefined) =>
  queryOptions({
    queryKey: [...COLLEGE_KEY, 'boards', userId, role],
    queryFn: async ({ signal }): Promise<Board[]> => {
      const [players, plans] = await Promise.all([
        supabase.rpc('kept_players').abortSignal(signal).then(unwrap),
        supabase
          .from('college_plans')
          .select(
            'player_id, shared_with_coaches, what_if, players(state, grad_year, position_group, profiles(full_name))',
          )
          .abortSignal(signal)
          .then(unwrap),
      ])
      // The row of a former player stays, but not the board.
      const kept = players.filter(({ player_id }) => role === 'player' || player_id !== userId)
      const isKept = (id: string) => kept.some(({ player_id }) => player_id === id)
      const isPlanned = (id: string) => plans.some(({ player_id }) => player_id === id)
      const boards = [
        ...kept
          .filter(({ player_id }) => !isPlanned(player_id))
          .map(({ player_id, ...facts }) => boardOf(player_id, facts, null, true)),
        ...plans.map(({ player_id, players, ...plan }) => boardOf(player_id, named(players), plan, isKept(player_id))),
      ]
      // One's own first, then by name.
      return boards.sort(
        (a, b) => Number(b.playerId === userId) - Number(a.playerId === userId) || a.name.localeCompare(b.name),
      )
    },
  })

const named = (player: Planned) => player && { ...player, full_name: player.profiles?.full_name }

type Plan = { shared_with_coaches: boolean; what_if: number | null }

const boardOf = (
  playerId: string,
  player: (Facts & { full_name?: string }) | null,
  plan: Plan | null,
  writes: boolean,
): Board => ({
  playerId,
  name: player?.full_name ?? 'A player',
  writes,
  shared: plan?.shared_with_coaches ?? false,
  whatIf: plan?.what_if ?? null,
  pitcher: player?.position_group === 'P',
  state: player?.state ?? null,
  gradYear: player?.grad_year ?? null,
})

export const targetsQuery = (playerId: string) =>
  queryOptions({
    queryKey: [...COLLEGE_KEY, 'targets', playerId],
    queryFn: async ({ signal }): Promise<Target[]> =>
      unwrap(
        await supabase
          .from('college_targets')
          .select(
            `id, program_id, status, next_step, next_on, notes, visit_on, visit_kind, offer, reply_by,
              college_contacts(id, kind, received, happened_on, person, body)`,
          )
          .eq('player_id', playerId)
          .order('next_on', { nullsFirst: false })
          .order('created_at')
          .order('happened_on', { referencedTable: 'college_contacts', ascending: false })
          .abortSignal(signal),
      ),
  })

export const tasksQuery = (playerId: string) =>
  queryOptions({
    queryKey: [...COLLEGE_KEY, 'tasks', playerId],
    queryFn: async ({ signal }): Promise<Task[]> =>
      unwrap(
        await supabase
          .from('college_tasks')
          .select('id, grade, title, due_on, done_on')
          .eq('player_id', playerId)
          .order('grade')
          .order('due_on', { nullsFirst: false })
          .order('created_at')
          .order('title')
          .abortSignal(signal),
      ),
  })

/** The recruiting periods that have not ended, of all divisions. */
export const periodsQuery = queryOptions({
  queryKey: [...COLLEGE_KEY, 'periods'],
  queryFn: async ({ signal }): Promise<Period[]> =>
    unwrap(
      await supabase
        .from('recruiting_periods')
        .select('id, division, kind, starts_on, ends_on, source, checked_on')
        .gte('ends_on', new Date().toLocaleDateString('sv'))
        .order('starts_on')
        .limit(60)
        .abortSignal(signal),
    ),
})
