import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { createClient } from '@supabase/supabase-js'
import type { Database } from '../src/types/database.ts'
import type { Dugout } from './dugout.ts'

/** The id of somebody of a lineup, by side and place in the order. */
export type Lineups = readonly [readonly string[], readonly string[]]

export type ScoredGame = { id: string; page: string; scorebook: string; lineups: Lineups }

export type Entry = {
  athlete: string
  side: number
  order: number | null
  position: number | null
  name: string
}

type Settings = {
  opponent?: string
  innings?: number
  uses_dh?: boolean
  run_rule?: string
  extra_runner?: number
  entries?: readonly Entry[]
}

/** A public game of the invented coach's team at home, with nine guests on each side. The last of the order pitches. */
export async function newScoredGame(
  dugout: Dugout,
  { opponent = 'Guests', innings = 3, uses_dh = false, run_rule, extra_runner, entries = nineEach() }: Settings = {},
): Promise<ScoredGame> {
  const client = await coach(dugout)
  const { data: own } = await client.from('team_members').select('team_id').eq('role', 'coach').limit(1).single()
  const { data: id, error } = await client.rpc('create_game', {
    team_id: own?.team_id ?? '',
    opponent,
    is_home: true,
    played_on: '2027-04-01',
    is_public: true,
    innings,
    uses_dh,
  })
  if (error) throw error
  if (run_rule || extra_runner) await client.from('games').update({ run_rule, extra_runner }).eq('id', id)
  const of = (side: number) => entries.filter((entry) => entry.side === side).map(({ athlete }) => athlete)
  const lineups: Lineups = [of(0), of(1)]
  const device = randomUUID()
  await score(client, { game: id, device, lineups: entries })
  await score(client, { game: id, device, release: true })
  const page = `${dugout.url}/games/${id}`
  return { id, page, scorebook: `${page}/score`, lineups }
}

export const nineEach = (): Entry[] =>
  [0, 1].flatMap((side) =>
    Array.from({ length: 9 }, (_, at) => ({
      athlete: randomUUID(),
      side,
      order: at + 1,
      position: at === 8 ? 1 : at + 2,
      name: `No. ${at + 1}`,
    })),
  )

type Client = Awaited<ReturnType<typeof coach>>

/** A client of the invented coach. */
export async function coach(dugout: Dugout) {
  const { ANON_KEY } = await dugout.status()
  const client = createClient<Database>(dugout.url, ANON_KEY, { auth: { persistSession: false } })
  const { error } = await client.auth.signInWithPassword({ email: 'coach@dugout.test', password: 'dugout-demo' })
  if (error) throw error
  return client
}

/** Calls the function `score`. */
export async function score(client: Client, body: object): Promise<unknown> {
  const answer = await client.functions.invoke<unknown>('score', { body })
  const error: unknown = answer.error
  if (error instanceof Error) throw error
  return answer.data
}

export const choose = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Enters a play: what happened, then who fielded the ball. */
export async function play(page: Page, kind: string, ...fielders: string[]) {
  await choose(page, kind)
  for (const fielder of fielders) await choose(page, fielder)
  await choose(page, 'Save play')
}
