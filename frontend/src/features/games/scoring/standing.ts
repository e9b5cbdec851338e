import type { Bases, Game, GameRecord, Side } from '@/data/games/model'
import type { QueuedRow } from '@/data/games/kept'

/** A place in the batting order; 0 is a pitcher who does not bat. */
type Slot = { athlete: string; position: number | null }

/** What the scorer has to know for the next play. */
export type Standing = {
  inning: number
  batting: Side
  outs: number
  bases: Bases
  score: [number, number]
  /** By side, then by place in the order. */
  slots: readonly [ReadonlyMap<number, Slot>, ReadonlyMap<number, Slot>]
  batter: string | null
  pitcher: string | null
  /** By its rules the game is over. */
  decided: boolean
  /** The last record ended a half-inning. */
  sideRetired: boolean
  /** A play of this half-inning is known. */
  begun: boolean
  /** The runner who must be placed on base at the start of this extra inning; null if none must. */
  runnerDue: { athlete: string; base: number } | null
  /** The runs with which the side at bat wins at once; null while the game would go on. */
  toWin: number | null
}

/** The records after those that are not saved yet. */
export function withQueued(saved: readonly GameRecord[], rows: readonly QueuedRow[]): GameRecord[] {
  const known = new Set(saved.map(({ id }) => id))
  let records = [...saved]
  for (const { id, record, replaces, outcome } of rows) {
    if (record === undefined) records = records.filter((one) => one.id !== replaces)
    else if (known.has(id)) continue
    else if (replaces === undefined) records.push({ id, record, outcome })
    else records = records.map((one) => (one.id === replaces ? { id, record, outcome } : one))
  }
  return records
}

type Rules = Pick<Game, 'innings' | 'home_bats_first' | 'athletes' | 'run_rule' | 'extra_runner'>

/** The record of a half-inning that ends before the third out: by a limit of runs or batters, or by agreement. */
export const END_OF_HALF = 'com,endhalf'

/** Folds the records. Each play carries its outcome, so that this needs no rules of scoring. */
export function standingOf(game: Rules, records: readonly GameRecord[]): Standing {
  const first: Side = game.home_bats_first ? 1 : 0
  const slots: [Map<number, Slot>, Map<number, Slot>] = [new Map<number, Slot>(), new Map<number, Slot>()]
  for (const { id, side, order, position } of game.athletes.values()) {
    if (order !== null) slots[side].set(order, { athlete: id, position })
  }
  const due: [number, number] = [1, 1]
  let [inning, batting, outs] = [1, first, 0]
  let bases: Bases = [null, null, null]
  let score: [number, number] = [0, 0]
  // True until the half-inning has a play or a placed runner.
  let fresh = true
  const turn = () => {
    if (batting !== first) inning += 1
    batting = other(batting)
    outs = 0
    bases = [null, null, null]
    fresh = true
  }
  for (const { record, outcome } of records) {
    if (record === END_OF_HALF) outs = 3
    if (record.startsWith('radj,')) {
      if (outs >= 3) turn()
      const [, athlete = '', base] = record.split(',')
      bases = bases.map((on, index) => (index + 1 === Number(base) ? athlete : on)) as Bases
      fresh = false
    }
    if (record.startsWith('ladj,')) {
      const [, side, order] = record.split(',')
      due[side === '1' ? 1 : 0] = Number(order)
    }
    if (record.startsWith('sub,')) {
      const replaced = substitute(slots, record)
      if (replaced) bases = bases.map((on) => (on === replaced.left ? replaced.entered : on)) as Bases
    }
    if (!outcome) continue
    fresh = false
    ;({ inning, batting, bases, score } = outcome)
    outs = outcome.outsBefore + outcome.outs
    const order = outcome.turn && orderOf(slots[batting], outcome.batter)
    if (order) due[batting] = next(slots[batting], order)
  }
  const decided = isDecided(game, { inning, batting, outs, score }, first)
  const sideRetired = outs >= 3
  if (sideRetired && !decided) turn()
  const extra = fresh && !decided && inning > game.innings ? game.extra_runner : null
  const runner = extra && slots[batting].get(before(slots[batting], due[batting]))?.athlete
  const fielders = [...slots[other(batting)].values()]
  return {
    inning,
    batting,
    outs,
    bases,
    score,
    slots,
    batter: slots[batting].get(due[batting])?.athlete ?? null,
    pitcher: fielders.find(({ position }) => position === 1)?.athlete ?? null,
    decided,
    sideRetired,
    begun: !fresh,
    runnerDue: extra && runner ? { athlete: runner, base: extra } : null,
    toWin: decided ? null : runsToWin(game, { inning, batting, score }, first),
  }
}

export const other = (side: Side): Side => (side === 0 ? 1 : 0)

const orderOf = (slots: ReadonlyMap<number, Slot>, athlete: string) =>
  [...slots].find(([order, slot]) => order > 0 && slot.athlete === athlete)?.[0]

/** The place after this one; after the last comes the first. */
const next = (slots: ReadonlyMap<number, Slot>, order: number) => (slots.has(order + 1) ? order + 1 : 1)

/** The previous place in the batting order, cyclically. */
const before = (slots: ReadonlyMap<number, Slot>, order: number) => (order > 1 ? order - 1 : Math.max(...slots.keys()))

/** `sub,ATHLETE,"",SIDE,ORDER,POSITION`; says who came for whom. */
function substitute(slots: [Map<number, Slot>, Map<number, Slot>], record: string) {
  const [, entered = '', , sideText, orderText, positionText] = record.split(',')
  const side = slots[sideText === '1' ? 1 : 0]
  const [order, position] = [Number(orderText), Number(positionText)]
  const left = side.get(order)?.athlete
  if (position < 10) {
    for (const [place, slot] of side) if (slot.position === position) side.set(place, { ...slot, position: null })
  }
  side.set(order, { athlete: entered, position })
  return left && left !== entered ? { left, entered } : null
}

type Now = Pick<Standing, 'inning' | 'batting' | 'outs' | 'score'>

/** Regulation, walk-off and run rule. */
function isDecided({ innings, run_rule }: Rules, now: Now, first: Side): boolean {
  const { inning, batting, outs, score } = now
  const last = other(first)
  if (run_rule?.split(';').some((rule) => isMercy(rule, now, last))) return true
  if (inning < innings) return false
  const [ahead, behind] = [score[last] > score[first], score[last] < score[first]]
  return (ahead && (batting === last || outs >= 3)) || (behind && batting === last && outs >= 3)
}

/** With how many runs the side that bats last ends the game: by a walk-off or the run rule. */
function runsToWin({ innings, run_rule }: Rules, { inning, batting, score }: Omit<Now, 'outs'>, first: Side) {
  if (batting === first) return null
  const behind = score[first] - score[batting]
  const rules = (run_rule?.split(';') ?? []).map((rule) => rule.split('/').map(Number))
  const ends = [[1, innings], ...rules].filter(([, from = Infinity]) => inning >= from)
  const runs = ends.map(([lead = Infinity]) => behind + lead).filter((count) => count > 0 && Number.isFinite(count))
  return runs.length > 0 ? Math.min(...runs) : null
}

/** `10/5`: a team leads by ten runs after five innings. The side that bats last wins at once, the other one when both have batted. */
function isMercy(rule: string, { inning, batting, outs, score }: Now, last: Side): boolean {
  const [lead = Infinity, innings = Infinity] = rule.split('/').map(Number)
  const [ahead, over] = [score[last] - score[other(last)], outs >= 3]
  return (
    inning >= innings && ((ahead >= lead && (batting === last || over)) || (-ahead >= lead && batting === last && over))
  )
}
