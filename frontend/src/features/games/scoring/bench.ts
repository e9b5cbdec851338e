import type { Athlete, Game, GameRecord, Side } from '@/data/games/model'
import { nameOf } from '@/data/games/model'
import type { Standing } from '@/features/games/scoring/standing'

/** Somebody who is not in the game now. `place` is the place in the order that they left; null if they have not played. */
export type Benched = { athlete: Athlete; place: number | null; mayReturn: boolean }

/** A side's bench: fresh players first, then those who may return, then those who have left for good. */
export function benchOf(
  game: Pick<Game, 'athletes' | 'reentry' | 'courtesy_runner'>,
  records: readonly GameRecord[],
  now: Pick<Standing, 'slots'>,
  side: Side,
): Benched[] {
  const places = new Map<string, number>()
  for (const { id, order } of game.athletes.values()) if (order !== null) places.set(id, order)
  for (const { record } of records) {
    const [kind, id = '', , , order] = record.split(',')
    if (kind === 'sub' && !places.has(id)) places.set(id, Number(order))
  }
  const playing = new Set([...now.slots[side].values()].map(({ athlete }) => athlete))
  const rank = ({ place, mayReturn }: Benched) => (place === null ? 0 : mayReturn ? 1 : 2)
  return [...game.athletes.values()]
    .filter((athlete) => athlete.side === side && !playing.has(athlete.id))
    .map((athlete) => {
      const place = places.get(athlete.id) ?? null
      return { athlete, place, mayReturn: place !== null && (game.reentry || game.courtesy_runner) }
    })
    .sort((one, other) => rank(one) - rank(other))
}

/** "Ann Osei", "Ann Osei (played, may return in place 3)" or "Ann Osei (has left the game)". */
export function benchLabel({ athlete, place, mayReturn }: Benched): string {
  if (place === null) return nameOf(athlete)
  const where = place === 0 ? 'as pitcher' : `in place ${place}`
  return `${nameOf(athlete)} ${mayReturn ? `(played, may return ${where})` : '(has left the game)'}`
}

/** The pitcher or catcher on base, for whom a courtesy runner may run. */
export function courtesyPlace({ slots, bases, batting }: Pick<Standing, 'slots' | 'bases' | 'batting'>): number | null {
  const battery = [...slots[batting]].find(
    ([, { athlete, position }]) => (position === 1 || position === 2) && bases.includes(athlete),
  )
  return battery?.[0] ?? null
}
