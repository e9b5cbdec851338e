import type { GameRecord, Side } from '@/data/games/model'
import { ballOf, spotOf, type Spot } from '@/features/games/field'
import { eventOf } from '@/features/games/words'

export type BattedKind = 'single' | 'double' | 'triple' | 'home_run' | 'error' | 'out'

/** A batted ball with its location. */
export type Batted = { id: string; side: Side; batter: string; kind: BattedKind; spot: Spot }

const HITS: readonly string[] = ['single', 'double', 'triple', 'home_run', 'error'] satisfies BattedKind[]
const isHit = (result: string): result is BattedKind => HITS.includes(result)
/** Feet by which balls in one zone are drawn apart. */
const APART = 14

/** The batted balls whose zone is known. Several in one zone stand around its middle. */
export function spray(records: readonly GameRecord[]): Batted[] {
  const taken = new Map<string, number>()
  return records.flatMap(({ id, record, outcome }) => {
    const zone = ballOf(eventOf(record))?.zone
    const middle = zone ? spotOf(zone) : null
    if (!outcome?.turn || !zone || !middle) return []
    const before = taken.get(zone) ?? 0
    taken.set(zone, before + 1)
    const [angle, radius] = [before * 2.4, APART * Math.sqrt(before)]
    const spot = { x: middle.x + Math.cos(angle) * radius, y: middle.y + Math.sin(angle) * radius }
    const { result } = outcome.turn
    return [{ id, side: outcome.batting, batter: outcome.batter, kind: isHit(result) ? result : 'out', spot }]
  })
}

/** Thirds of the field, from the left. */
export const FIELDS = ['left', 'center', 'right'] as const

/** The third of the field in which a ball came down: 0 left, 1 center, 2 right. */
export function thirdOf({ x, y }: Spot): 0 | 1 | 2 {
  const angle = (Math.atan2(x, y) * 180) / Math.PI
  return angle < -15 ? 0 : angle > 15 ? 2 : 1
}

/** The number of balls from which on shares are shown: fewer say little about where a player hits. */
export const ENOUGH_BALLS = 20

/** The shares of the thirds; null with too few balls. */
export function thirds(balls: readonly Pick<Batted, 'spot'>[]): readonly [number, number, number] | null {
  if (balls.length < ENOUGH_BALLS) return null
  const counts: [number, number, number] = [0, 0, 0]
  for (const { spot } of balls) counts[thirdOf(spot)] += 1
  return counts.map((count) => count / balls.length) as [number, number, number]
}
