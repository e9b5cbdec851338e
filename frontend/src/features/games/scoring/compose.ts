import type { Bases, Move, Outcome, Turn } from '@/data/games/model'
import { spotOf } from '@/features/games/field'
import { pitchFields } from '@/features/games/scoring/pitches'
import type { Standing } from '@/features/games/scoring/standing'

/** What a scorer can choose for the batter. */
export type BatterKind =
  | 'single'
  | 'double'
  | 'triple'
  | 'home_run'
  | 'walk'
  | 'intentional_walk'
  | 'hit_by_pitch'
  | 'strikeout'
  | 'strikeout_looking'
  | 'dropped_third'
  | 'strikeout_thrown'
  | 'ground'
  | 'fly'
  | 'line'
  | 'pop'
  | 'bunt'
  | 'force'
  | 'double_play'
  | 'error'
  | 'fielders_choice'
  | 'interference'
/** What can happen to runners while the batter's turn goes on. */
export type RunnerKind = 'steal' | 'caught' | 'picked_off' | 'wild_pitch' | 'passed_ball' | 'balk' | 'indifference'
export type Kind = BatterKind | RunnerKind

/** Where somebody ends: a base, 4 for home, or out. */
export type End = 1 | 2 | 3 | 4 | 'out'
/** By where they are before the play: 0 for the batter, else the base. Nobody stays away from it. */
export type Ends = Partial<Record<0 | 1 | 2 | 3, End>>

/** A play while it is being entered. */
export type Draft = {
  kind: Kind
  /** Who fielded the ball, in order, by position 1 to 9. */
  fielders: readonly number[]
  ends: Ends
  /** Who put a runner out who was not forced. */
  putOutBy: readonly number[]
  /** Where the ball came down, in Retrosheet's zones. */
  zone?: string
  /** How runners moved on the last pitch of a strikeout or walk. */
  besides?: Besides
}

/** A stolen base, a wild pitch, a passed ball. */
export type Besides = 'SB' | 'WP' | 'PB'

const RUNNING: readonly string[] = [
  'steal',
  'caught',
  'picked_off',
  'wild_pitch',
  'passed_ball',
  'balk',
  'indifference',
]

export const isRunning = (kind: Kind): kind is RunnerKind => RUNNING.includes(kind)

/** The base on which each choice puts the batter, unless the scorer says otherwise. */
const BATTERS: Readonly<Record<BatterKind, End>> = {
  single: 1,
  double: 2,
  triple: 3,
  home_run: 4,
  walk: 1,
  intentional_walk: 1,
  hit_by_pitch: 1,
  strikeout: 'out',
  strikeout_looking: 'out',
  dropped_third: 1,
  strikeout_thrown: 'out',
  ground: 'out',
  fly: 'out',
  line: 'out',
  pop: 'out',
  bunt: 'out',
  force: 1,
  double_play: 'out',
  error: 1,
  fielders_choice: 1,
  interference: 1,
}

/** Whether the scorer says who fielded the ball. */
export const needsFielders = (kind: Kind) =>
  [
    'ground',
    'fly',
    'line',
    'pop',
    'bunt',
    'force',
    'double_play',
    'error',
    'fielders_choice',
    'caught',
    'picked_off',
    'strikeout_thrown',
  ].includes(kind)

const isStrikeout = (kind: Kind) => /^strikeout|^dropped/.test(kind)

/** Whether the scorer must say how runners moved: the ball was not hit, and a runner moved who was not forced to. */
export const needsBesides = ({ kind, ends }: Draft) =>
  kind === 'dropped_third' ||
  ((isStrikeout(kind) || kind === 'walk') &&
    FROM.some((from) => {
      const end = ends[from]
      const forced = kind === 'walk' && [1, 2, 3].slice(0, from).every((one) => ends[one as 1] !== undefined)
      return end !== undefined && end !== 'out' && end !== (forced ? from + 1 : from)
    }))

/** Whether a batted ball came down somewhere. */
export const isBatted = (kind: Kind) =>
  takesPlace(kind) ||
  ['ground', 'fly', 'line', 'pop', 'bunt', 'force', 'double_play', 'error', 'fielders_choice'].includes(kind)
export const takesPlace = (kind: Kind) => ['single', 'double', 'triple', 'home_run'].includes(kind)

const FROM = [3, 2, 1] as const

/** A new play with the most likely advances. */
export function draftOf(kind: Kind, bases: Bases, outs: number): Draft {
  const ends: Ends = {}
  if (!isRunning(kind)) ends[0] = BATTERS[kind]
  for (const from of FROM) {
    if (bases[from - 1] !== null) ends[from] = likely(kind, from, bases, outs)
  }
  const usual: Partial<Record<Kind, number[]>> = {
    double_play: [6, 4, 3],
    force: [6, 4],
    caught: [2, 6],
    picked_off: [1, 3],
    strikeout_thrown: [2, 3],
  }
  return { kind, fielders: usual[kind] ?? [], ends, putOutBy: [], besides: kind === 'dropped_third' ? 'WP' : undefined }
}

/** The runner nearest to home of those who are forced, the one whom a force play usually retires. */
const forcedFrom = (bases: Bases): 1 | 2 | 3 => (bases[0] && bases[1] && bases[2] ? 3 : bases[0] && bases[1] ? 2 : 1)

const isForced = (from: number, bases: Bases) => bases.slice(0, from).every((runner) => runner !== null)

function likely(kind: Kind, from: 1 | 2 | 3, bases: Bases, outs: number): End {
  const by = (count: number): End => Math.min(4, from + count) as End
  switch (kind) {
    case 'home_run':
    case 'triple':
      return 4
    case 'double':
      return by(2)
    case 'single':
      return from >= 2 ? 4 : 2
    case 'walk':
    case 'intentional_walk':
    case 'hit_by_pitch':
    case 'interference':
    case 'dropped_third':
      return isForced(from, bases) ? by(1) : from
    case 'error':
    case 'bunt':
    case 'wild_pitch':
    case 'passed_ball':
    case 'balk':
      return by(1)
    case 'ground':
      return outs < 2 && isForced(from, bases) ? by(1) : from
    case 'force':
      return from === forcedFrom(bases) ? 'out' : isForced(from, bases) ? by(1) : from
    case 'double_play':
      return from === 1 ? 'out' : outs === 0 ? by(1) : from
    case 'fielders_choice':
      return isForced(from, bases) ? by(1) : from
    case 'steal':
    case 'indifference':
      // The last runner goes, if the next base is free.
      return FROM.filter((one) => bases[one - 1] !== null).at(-1) === from && (from === 3 || bases[from] === null)
        ? by(1)
        : from
    case 'caught':
    case 'picked_off':
      return FROM.filter((one) => bases[one - 1] !== null).at(-1) === from ? 'out' : from
    default:
      return from
  }
}

/** What keeps a draft from being saved, in words; null if nothing does. */
export function problemOf(draft: Draft, { outs }: Pick<Standing, 'outs'>): string | null {
  const { kind, fielders, ends, putOutBy } = draft
  const runners = FROM.filter((from) => ends[from] !== undefined)
  const out = runners.filter((from) => ends[from] === 'out')
  const made = out.length + (ends[0] === 'out' ? 1 : 0)
  const held = [0, ...FROM].map((from) => ends[from as 0]).filter((end) => typeof end === 'number' && end < 4)
  if (needsFielders(kind) && fielders.length === 0) return 'Tap who fielded the ball.'
  if (kind === 'double_play' && fielders.length < 2) return 'Tap at least two fielders.'
  if (kind === 'double_play' && (out.length !== 1 || ends[0] !== 'out'))
    return 'A double play here puts out the batter and one runner.'
  if (kind === 'force' && out.length !== 1) return 'A force play puts out one runner.'
  if ((kind === 'caught' || kind === 'picked_off') && out.length !== 1) return 'Choose the one runner who is out.'
  const stolen = runners.filter((from) => ends[from] !== from)
  if (kind === 'steal' && out.length > 0) return 'Choose “Caught stealing” for a runner who is out.'
  if (isRunning(kind) && stolen.length === 0) return 'Choose the runner who moves.'
  if (new Set(held).size < held.length) return 'Two runners are on one base.'
  if (outs + made > 3) return `There would be ${outs + made} outs.`
  if (needsBesides(draft) && !draft.besides) return 'Choose how the runner moved.'
  const extra = advancesOut(draft)
  return extra.length > 0 && putOutBy.length === 0 ? 'Tap who put the runner out.' : null
}

/** The runners whom an advance puts out, not the play's own code. */
export function advancesOut({ kind, ends }: Draft): (0 | 1 | 2 | 3)[] {
  if (['force', 'double_play', 'caught', 'picked_off'].includes(kind)) return []
  const runners: (0 | 1 | 2 | 3)[] = FROM.filter((from) => ends[from] === 'out')
  const batterIsOut = !isRunning(kind) && BATTERS[kind] !== 'out' && ends[0] === 'out'
  return batterIsOut ? [...runners, 0] : runners
}

const letter = (base: number) => (base === 4 ? 'H' : String(base))

/** The event in Retrosheet's notation. */
export function eventOf(draft: Draft, outs: number): string {
  const { kind, ends, putOutBy } = draft
  const advances: string[] = []
  for (const from of FROM) {
    const end = ends[from]
    if (end === undefined || end === from || kind === 'home_run') continue
    if (end === 'out') {
      if (advancesOut(draft).includes(from) && !isStrikeout(kind))
        advances.push(`${from}X${letter(from + 1)}(${putOutBy.join('')})`)
    } else if (!(kind === 'steal' || isStolen(draft)) || end > from + 1) advances.push(`${from}-${letter(end)}`)
  }
  if (!isRunning(kind)) {
    const [usual, end] = [BATTERS[kind], ends[0]]
    if (end === 'out' && usual !== 'out') advances.push(`BX${letter(Math.min(4, usual + 1))}(${putOutBy.join('')})`)
    else if (end !== undefined && end !== 'out' && (end !== usual || kind === 'dropped_third'))
      advances.push(`B-${letter(end)}`)
  }
  return [basicOf(draft, outs), advances.join(';')].filter(Boolean).join('.')
}

const isStolen = (draft: Draft) => needsBesides(draft) && draft.besides === 'SB'

/** The stolen bases of all runners who moved: `SB2;SB3`. */
const stolen = (ends: Ends) =>
  FROM.filter((from) => ends[from] !== undefined && ends[from] !== 'out' && ends[from] !== from)
    .map((from) => `SB${letter(from + 1)}`)
    .join(';')

/** What follows a strikeout or walk: `+SB2`, `+WP`, `+CS2(26)`. */
function besidesOf(draft: Draft): string {
  const { ends, putOutBy, besides, kind } = draft
  const out = FROM.find((from) => ends[from] === 'out')
  if (out && isStrikeout(kind)) return `+CS${letter(out + 1)}(${putOutBy.join('')})/DP`
  if (!needsBesides(draft) || !besides) return ''
  return `+${besides === 'SB' ? stolen(ends) : besides}`
}

/** Balls that come down nearer to the plate, in feet, were probably on the ground. */
const OUTFIELD = 180

/** `/G56` or `/L78` of a ball whose trajectory nobody said. */
function landed(zone: string): string {
  const spot = spotOf(zone)
  if (!spot) return ''
  return `/${Math.hypot(spot.x, spot.y) < OUTFIELD ? 'G' : 'L'}${zone}`
}

function basicOf(draft: Draft, outs: number): string {
  const { kind, fielders, ends, zone = '' } = draft
  const seq = fielders.join('')
  const place = fielders[0] ?? ''
  const out = FROM.find((from) => ends[from] === 'out') ?? 1
  const advanced = FROM.some((from) => ends[from] !== undefined && ends[from] !== 'out' && ends[from] !== from)
  const plain: Partial<Record<Kind, string>> = {
    single: `S${place}${landed(zone)}`,
    double: `D${place}${landed(zone)}`,
    triple: `T${place}${landed(zone)}`,
    home_run: zone || place ? `HR/F${zone || place}` : 'HR',
    walk: `W${besidesOf(draft)}`,
    intentional_walk: 'IW',
    hit_by_pitch: 'HP',
    strikeout: `K${besidesOf(draft)}`,
    strikeout_looking: `K${besidesOf(draft)}/C`,
    strikeout_thrown: `K${seq}${besidesOf(draft)}`,
    dropped_third: `K${besidesOf(draft)}`,
    ground: `${seq}/G${zone}`,
    fly: ends[3] === 4 && outs < 2 ? `${seq}/SF/F${zone}` : `${seq}/F${zone}`,
    line: `${seq}/L${zone}`,
    pop: `${seq}/P${zone}`,
    bunt: advanced && outs < 2 ? `${seq}/SH/BG${zone}` : `${seq}/BG${zone}`,
    force: `${seq}(${out})/FO/G${zone}`,
    double_play: `${fielders.slice(0, -1).join('')}(${out})${fielders.at(-1)}/GDP/G${zone}`,
    error: `E${place}${landed(zone)}`,
    fielders_choice: `FC${place}${landed(zone)}`,
    interference: 'C/E2',
    steal: stolen(ends),
    caught: `CS${letter(out + 1)}(${seq})`,
    picked_off: `PO${out}(${seq})`,
    wild_pitch: 'WP',
    passed_ball: 'PB',
    balk: 'BK',
    indifference: 'DI',
  }
  return plain[kind] ?? ''
}

const RESULTS: Partial<Record<BatterKind, string>> = {
  strikeout_looking: 'strikeout',
  strikeout_thrown: 'strikeout',
  dropped_third: 'strikeout',
  ground: 'out',
  fly: 'out',
  line: 'out',
  pop: 'out',
  bunt: 'out',
  force: 'out',
  double_play: 'out',
}

/** The outcome as this device shows it until the server has computed its own. */
export function outcomeOf(draft: Draft, now: Standing): Outcome {
  const { kind, ends } = draft
  const who = (from: 0 | 1 | 2 | 3) => (from === 0 ? now.batter : now.bases[from - 1]) ?? ''
  const bases: Bases = [null, null, null]
  const moves: Move[] = []
  let [outs, runs] = [0, 0]
  for (const from of [...FROM, 0] as const) {
    const end = ends[from]
    if (end === undefined) continue
    if (end === 'out') outs += 1
    else if (end === 4) runs += 1
    else bases[end - 1] = who(from)
    if (end === from) continue
    const to = end === 'out' ? null : end
    const outAt = end === 'out' && from > 0 && kind !== 'picked_off' ? Math.min(4, from + 1) : null
    moves.push({ athlete: who(from), from, to, outAt, rbi: false, onError: kind === 'error' })
  }
  const score: [number, number] = [...now.score]
  score[now.batting] += runs
  const event = eventOf(draft, now.outs)
  const turn: Turn | null = isRunning(kind)
    ? null
    : {
        result: RESULTS[kind] ?? kind,
        sacrificeHit: event.includes('/SH'),
        sacrificeFly: event.includes('/SF'),
        doublePlay: kind === 'double_play',
      }
  return {
    inning: now.inning,
    batting: now.batting,
    batter: now.batter ?? '',
    pitcher: now.pitcher ?? '',
    turn,
    outsBefore: now.outs,
    outs,
    multiplePlay: kind === 'double_play',
    bases,
    score,
    runs,
    moves,
  }
}

/** The record of a draft: one line of an event file. */
export function recordOf(draft: Draft, now: Standing, entered = '') {
  const { count, pitches } = pitchFields(entered, draft.kind)
  return `play,${now.inning},${now.batting},${now.batter},${count},${pitches},${eventOf(draft, now.outs)}`
}
