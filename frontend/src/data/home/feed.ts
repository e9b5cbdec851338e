import { decimal } from '@/lib/format'

/** The steps that complete a player's profile, in the order in which they are suggested. */
export type ProfileStep = 'facts' | 'measurement' | 'season' | 'video'

/** Percentiles that Home shows. */
const BEST = 4

/** The highest percentiles. Measurements with too few players to compare are left out. */
export function bestOf<Row extends { percentile: number | null }>(rows: readonly Row[]): Row[] {
  const placed = rows.filter(({ percentile }) => percentile !== null)
  return placed.sort((a, b) => (b.percentile ?? 0) - (a.percentile ?? 0)).slice(0, BEST)
}

type Measured = { label: string; value: number; unit: string; decimals: number | null }

/** `Exit velocity 84.2 mph` */
export const measured = ({ label, value, unit, decimals }: Measured) =>
  `${label} ${decimal(value, decimals ?? 1)} ${unit}`.trimEnd()

/** An addition of a followed player: a measurement, a video, or a commitment, whose `kind` is its status. */
export type NewsRow = {
  id: string
  player_id: string
  full_name: string
  kind: string
  /** The metric, the title, or the program. */
  what: string
  value: number | null
  unit: string
  decimals: number | null
  verified: boolean
  /** The day it happened on, which may be long before it was entered; null if unknown. */
  happened_on: string | null
}

const COMMITMENTS: Readonly<Record<string, string>> = { committed: 'Committed to', signed: 'Signed with' }

/** `Exit velocity 84.2 mph, verified`, `Video: Doubles in May`, `Committed to Timber State University` */
export function newsWords({ kind, what, value, unit, decimals, verified }: NewsRow): string {
  if (kind === 'video') return `Video: ${what}`
  if (value === null) return `${COMMITMENTS[kind] ?? 'No longer committed to'} ${what}`
  return measured({ label: what, value, unit, decimals }) + (verified ? ', verified' : '')
}
