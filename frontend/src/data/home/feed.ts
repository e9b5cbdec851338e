import { decimal } from '@/lib/format'

/** The steps that complete a player's profile, in the order in which they are suggested. */
export const PROFILE_STEPS = ['facts', 'measurement', 'season', 'video'] as const
export type ProfileStep = (typeof PROFILE_STEPS)[number]

/** Percentiles that Home shows. */
const BEST = 4

/** The highest percentiles. Measurements with too few players to compare are left out. */
export function bestOf<Row extends { percentile: number | null }>(rows: readonly Row[]): Row[] {
  const placed = rows.filter(({ percentile }) => percentile !== null)
  return placed.sort((a, b) => (b.percentile ?? 0) - (a.percentile ?? 0)).slice(0, BEST)
}

type Measured = {
  value: number
  unit: string
  verified_at?: string | null
  measurement_kinds: { label: string; decimals: number } | null
}

/** `Exit velocity 84.2 mph, verified` */
export function measured({ value, unit, verified_at, measurement_kinds: kind }: Measured): string {
  const words = `${kind?.label ?? 'Measured'} ${decimal(value, kind?.decimals ?? 1)} ${unit}`
  return verified_at ? `${words}, verified` : words
}

const COMMITMENTS: Readonly<Record<string, string>> = { committed: 'Committed to', signed: 'Signed with' }

/** `Committed to Timber State University` */
export const committed = ({ status, program }: { status: string; program: string }) =>
  `${COMMITMENTS[status] ?? 'No longer committed to'} ${program}`

export type NewsItem = {
  id: string
  playerId: string
  name: string
  what: string
  /** The day it happened on, which may be long before it was entered; null if unknown. */
  on: string | null
}

type NewsRow = { id: string; player_id: string; created_at: string; what: string; on: string | null }

/** The last entered first, without people whose names the reader may not see. */
export function newest(rows: readonly NewsRow[], names: ReadonlyMap<string, string>, limit: number): NewsItem[] {
  return [...rows]
    .sort((a, b) => b.created_at.localeCompare(a.created_at))
    .flatMap(({ id, player_id, what, on }) => {
      const name = names.get(player_id)
      return name ? [{ id, playerId: player_id, name, what, on }] : []
    })
    .slice(0, limit)
}
