import { queryOptions } from '@tanstack/react-query'
import { FunctionsHttpError } from '@supabase/supabase-js'
import { outcomeOf } from '@/data/games/queries'
import type { GameRecord } from '@/data/games/model'
import { saving } from '@/data/saving'
import { isRecord } from '@/lib/is-record'
import { queryClient } from '@/lib/query-client'
import { supabase, unwrap } from '@/lib/supabase'

/** A row of the log: a record, a correction (`replaces`), or a removal (`replaces` without a record). */
export type LogRow = { id: string; record?: string; replaces?: string; after?: string }

/** A player of a lineup, as the function takes it. `name` makes an unknown athlete a guest of the team. */
export type LineupEntry = {
  athlete: string
  side: 0 | 1
  jersey: string | null
  order: number | null
  position: number | null
  name?: string
}

export type ScoreRequest = {
  game: string
  device: string
  takeover?: boolean
  release?: boolean
  lineups?: LineupEntry[]
  plays?: LogRow[]
  /** The pitches of the unfinished plate appearance, after the play with this id. */
  turn?: { after: string | null; pitches: string }
  status?: 'live' | 'final' | 'suspended'
  ended?: 'called' | 'timelimit' | 'forfeit_visitor' | 'forfeit_home'
  reason?: string
  accept?: boolean
  /** Saves nothing. */
  preview?: boolean
}

/** Where plays contradict each other, and what would resolve it. */
export type Contradiction = { play: string | null; problem: string; resolution: string }

export type ScoreReply = {
  records: GameRecord[]
  revision: number
  /** By its rules the game is over. */
  decided: boolean
  contradictions: Contradiction[]
}

/** The function refuses: `code` says why, `play` where. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: string
  readonly status: number
  readonly play: string | null
  readonly resolution: string

  constructor(status: number, body: Record<string, unknown>) {
    super(typeof body.message === 'string' ? body.message : 'The server refused this.')
    this.status = status
    this.code = typeof body.code === 'string' ? body.code : ''
    this.play = typeof body.play === 'string' ? body.play : null
    this.resolution = typeof body.resolution === 'string' ? body.resolution : ''
  }
}

/** Calls the function `score`. Throws a `Refusal` for what it refuses, and another error without an answer. */
export const sendScore = (body: ScoreRequest): Promise<ScoreReply> => saving(queryClient, () => callScore(body))

async function callScore(body: ScoreRequest): Promise<ScoreReply> {
  const answer = await supabase.functions.invoke<unknown>('score', { body })
  const error: unknown = answer.error
  if (error instanceof FunctionsHttpError) {
    const response = error.context as Response
    const told: unknown = await response.json().catch(() => null)
    throw new Refusal(response.status, isRecord(told) ? told : {})
  }
  if (error instanceof Error) throw error
  const reply = isRecord(answer.data) ? answer.data : {}
  const state = isRecord(reply.state) ? reply.state : {}
  return {
    records: (Array.isArray(reply.records) ? reply.records : []).filter(isRecord).map((row) => ({
      id: String(row.id),
      record: String(row.record),
      outcome: outcomeOf(row.outcome),
    })),
    revision: typeof reply.revision === 'number' ? reply.revision : 0,
    decided: state.decided === true,
    contradictions: (Array.isArray(reply.contradictions) ? reply.contradictions : []).filter(isRecord).map((one) => ({
      play: typeof one.play === 'string' ? one.play : null,
      problem: String(one.problem),
      resolution: String(one.resolution),
    })),
  }
}

/** Whether a user may score the games of a team: its coaches do. */
export const canScoreQuery = (teamId: string | null, userId: string | undefined) =>
  queryOptions({
    queryKey: ['games', 'scorers', teamId, userId],
    queryFn: async ({ signal }): Promise<boolean> => {
      if (!teamId || !userId) return false
      const rows = unwrap(
        await supabase
          .from('team_members')
          .select('user_id')
          .eq('team_id', teamId)
          .eq('user_id', userId)
          .eq('role', 'coach')
          .eq('status', 'active')
          .abortSignal(signal),
      )
      return rows.length > 0
    },
  })

type NewGame = {
  team_id: string
  opponent: string
  is_home: boolean
  played_on: string
  starts_at: string | null
  is_public: boolean
  innings: number
  uses_dh: boolean
  place: string | null
  reentry: boolean
  courtesy_runner: boolean
  /** Leads that end the game early, as `10/5`: ten runs after five innings. */
  run_rule: string | null
  /** The base with a runner at the start of extra innings. */
  extra_runner: number | null
  /** In minutes. */
  time_limit: number | null
}

/** Schedules a game and returns its id. */
export async function createGame(game: NewGame): Promise<string> {
  const { starts_at, place, run_rule, extra_runner, time_limit, ...rest } = game
  return unwrap(
    await supabase.rpc('create_game', {
      ...rest,
      starts_at: starts_at ?? undefined,
      place: place ?? undefined,
      run_rule: run_rule ?? undefined,
      extra_runner: extra_runner ?? undefined,
      time_limit: time_limit ?? undefined,
    }),
  )
}
