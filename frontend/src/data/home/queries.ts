import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { FirstTask, HomeGame, NumberChange } from '@/data/home/games'
import { homeGamesQuery } from '@/data/home/games'
import { guardiansQuery, invitationsQuery } from '@/data/guardians/queries'
import type { NewsRow, ProfileStep } from '@/data/home/feed'
import { birthDateQuery, visibilityQuery, wardsQuery } from '@/data/minors/queries'
import type { Ward } from '@/lib/minors'
import { supabase, unwrap } from '@/lib/supabase'
import type { Database } from '@/types/database'

type Returns<Name extends keyof Database['public']['Functions']> = Database['public']['Functions'][Name]['Returns']
type Rows<Table extends keyof Database['public']['Tables']> = Database['public']['Tables'][Table]['Row']

/** The current suspension, if there is one. */
export const suspensionQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'suspension', userId],
    queryFn: async ({ signal }): Promise<Suspension | null> =>
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

type Suspension = { reason: string; suspended_at: string }

/** The keys of all queries of Home. */
export const HOME_KEY = ['home'] as const

/** A number of a player that waits for a coach. */
export type Claim = {
  id: string
  player_id: string
  full_name: string
  label: string
  decimals: number
  value: number
  /** The previous value, if any. */
  was: number | null
  unit: string
  taken_at: string
}

/** A pitcher of the coach's teams who threw in the last week. */
export type Arm = {
  athlete_id: string
  /** Null for a guest. */
  user_id: string | null
  full_name: string
  /** The day of the last outing, and its pitches; null if they were not recorded. */
  played_on: string
  pitches: number | null
  /** The most pitches on a day; null if the age is unknown. */
  day_limit: number | null
  /** The first day on which the rest from all outings is over; null if the pitches of one were not recorded. */
  ready_on: string | null
  /** The newest day on which the pitcher threw more than the limit allows, with the number of pitches and the game; null without one. */
  over_on: string | null
  over_pitches: number | null
  over_game: string | null
}

export type Asking = { id: string; team_id: string; full_name: string | null; created_at: string }

export type CoachTasks = {
  has_team: boolean
  /** How many requests and numbers wait; the lists have some of them. */
  waiting: number
  asking: Asking[]
  unverified: Claim[]
  arms: Arm[]
}

export type PlayerHome = {
  changes: NumberChange[]
  percentiles: Returns<'player_percentiles'>
  missing: ProfileStep[]
  /** Tasks of the college plan that are due within a week. */
  due: { id: string; title: string; due_on: string }[]
}

export type Discovered = {
  player_id: string
  full_name: string
  position: string | null
  grad_year: number | null
  label: string
  decimals: number
  value: number
  unit: string
  taken_at: string
}

export type AdminTotals = Returns<'admin_totals'>[number]

/** The answer of `home()`. Suspended users get only the first three fields. */
export type HomeAnswer = {
  account: { full_name: string; email: string | null } | null
  visibility: string
  suspension: Suspension | null
  birth_date?: string | null
  guardians?: Pick<
    Rows<'guardianships'>,
    'id' | 'guardian_id' | 'invited_email' | 'status' | 'invited_at' | 'answered_at' | 'ended_at'
  >[]
  invitations?: Returns<'my_invitations'>
  wards?: Ward[]
  games?: HomeGame[]
  tasks?: FirstTask[]
  /** Null for those who follow nobody. */
  news?: NewsRow[] | null
  discover?: Discovered[]
  player?: PlayerHome
  coach?: CoachTasks
  /** What changed in the numbers of those on a scout's lists. */
  listed?: NumberChange[]
  totals?: AdminTotals | null
}

/** All of Home in one request. Also fills the caches of queries that other screens share. */
export const homeQuery = (userId: string) =>
  queryOptions({
    queryKey: ['home', 'all', userId],
    queryFn: async ({ signal, client }) => {
      const answer = unwrap(await supabase.rpc('home').abortSignal(signal)) as unknown as HomeAnswer
      share(client, userId, answer)
      return answer
    },
  })

function share(client: QueryClient, userId: string, answer: HomeAnswer) {
  const { birth_date = null, guardians = [], invitations = [], wards = [], games = [] } = answer
  const { visibility, suspension } = answer
  client.setQueryData(visibilityQuery(userId).queryKey, visibility)
  client.setQueryData(suspensionQuery(userId).queryKey, suspension)
  client.setQueryData(birthDateQuery(userId).queryKey, birth_date)
  client.setQueryData(guardiansQuery(userId).queryKey, guardians)
  client.setQueryData(invitationsQuery(userId).queryKey, invitations)
  client.setQueryData(wardsQuery(userId).queryKey, wards)
  client.setQueryData(homeGamesQuery(userId).queryKey, games)
}
