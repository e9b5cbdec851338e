import { spotOf } from '@/features/games/field'
import {
  batterEnd,
  FROM,
  isRunning,
  isStrikeout,
  movedRunners,
  needsBesides,
  outRunners,
  retires,
  type Draft,
  type Ends,
  type Kind,
  type Origin,
} from '@/features/games/scoring/kinds'

/** The runners whom an advance puts out, not the play's own code. */
export function advancesOut({ kind, ends }: Draft): Origin[] {
  if (retires(kind) > 0) return []
  const runners: Origin[] = outRunners(ends)
  const usual = batterEnd(kind)
  return usual !== null && usual !== 'out' && ends[0] === 'out' ? [...runners, 0] : runners
}

/** Who put out the runners whom an advance puts out. */
export function retiredBy({ kind, fielders, putOutBy }: Draft): readonly number[] {
  if (kind === 'appeal') return fielders
  // A runner who interferes is out by the nearest fielder, unless the scorer names somebody.
  const nearest = kind === 'runner_interference' || kind === 'runner_hit'
  return nearest && putOutBy.length === 0 ? fielders.slice(0, 1) : putOutBy
}

const letter = (base: number) => (base === 4 ? 'H' : String(base))

/** The base at which a runner is out. */
const outAt = ({ kind }: Draft, from: number) =>
  kind === 'appeal' || kind === 'appeal_fly' ? from : Math.min(4, from + 1)

/** The event in Retrosheet's notation. */
export function eventOf(draft: Draft, outs: number): string {
  const { kind, ends } = draft
  const advances: string[] = []
  for (const from of FROM) {
    const end = ends[from]
    if (end === undefined || end === from || kind === 'home_run') continue
    if (end === 'out') {
      if (advancesOut(draft).includes(from) && !isCaughtStealing(draft)) advances.push(outOf(draft, from))
    } else if (!isCoded(draft, from) || end > from + 1) advances.push(`${from}-${letter(end)}${noteOf(draft, from)}`)
  }
  const [usual, end] = [batterEnd(kind), ends[0]]
  if (end === 'out' && usual !== null && usual !== 'out') advances.push(outOf(draft, usual === 4 ? 3 : usual, 'B'))
  else if (end !== undefined && end !== 'out' && (end !== usual || ALWAYS_SAID.includes(kind)))
    advances.push(`B-${letter(end)}${noteOf(draft, 0)}`)
  return [[basicOf(draft), ...modifiersOf(draft, outs)].join('/'), advances.join(';')].filter(Boolean).join('.')
}

/** After a third strike the batter would be out without it. */
const ALWAYS_SAID: readonly Kind[] = ['dropped_third', 'strikeout_error']

const outOf = (draft: Draft, from: number, who = String(from)) =>
  `${who}X${letter(outAt(draft, from))}(${retiredBy(draft).join('')})`

/** Whether the play's own code moves this runner to the next base. */
const isCoded = (draft: Draft, from: Origin) =>
  draft.kind === 'steal' ||
  isStolen(draft) ||
  (draft.kind === 'caught_error' && movedRunners(draft.ends).at(-1) === from)

/** The error that let somebody advance. */
function noteOf({ kind, ends, fielders, wild }: Draft, from: Origin): string {
  if (wild?.runner === from && wild.by) return `(E${wild.by}/TH)`
  return kind === 'obstruction_runner' && movedRunners(ends)[0] === from ? `(E${fielders[0]})` : ''
}

/** A runner who is out on a third strike was caught stealing. */
const isCaughtStealing = ({ kind }: Draft) => isStrikeout(kind) && kind !== 'strikeout_error'

const isStolen = (draft: Draft) => needsBesides(draft) && draft.besides === 'SB'

/** The stolen bases of all runners who moved: `SB2;SB3`. */
const stolen = (ends: Ends) =>
  movedRunners(ends)
    .filter((from) => ends[from] !== 'out')
    .map((from) => `SB${letter(from + 1)}`)
    .join(';')

/** What follows a strikeout or walk: `+SB2`, `+WP`, `+CS2(26)`. */
function besidesOf(draft: Draft): string {
  const { ends, putOutBy, besides, kind } = draft
  const [out] = outRunners(ends)
  if (out && isStrikeout(kind)) return `+CS${letter(out + 1)}(${putOutBy.join('')})/DP`
  if (!needsBesides(draft) || !besides) return ''
  return `+${besides === 'SB' ? stolen(ends) : besides}`
}

/** The fielders before an error and who made it: `6E3`; after a wild throw of the battery alone `E1/TH`. */
function erring(fielders: readonly number[], thrown = false): string {
  const by = fielders.at(-1) ?? 0
  return `${fielders.slice(0, -1).join('')}E${by}${thrown && fielders.length === 1 && by <= 2 ? '/TH' : ''}`
}

/**
 * Who put out whom, `64(1)3` or `6(B)43(1)`. The last fielders make one out each; those before them helped in the first one. A
 * batter who is the last to be out is not named.
 */
function outsInOrder(fielders: readonly number[], order: readonly string[]): string {
  const extra = Math.max(0, fielders.length - order.length)
  return order
    .map((who, index) => {
      const by = index === 0 ? fielders.slice(0, extra + 1).join('') : (fielders[extra + index] ?? fielders.at(-1))
      return who === 'B' ? by : `${by}(${who})`
    })
    .join('')
}

/** A caught ball, after which runners are put out. */
function caughtFirst([catcher, ...others]: readonly number[], out: readonly string[]): string {
  return `${catcher}(B)${outsInOrder(others.length > 0 || !catcher ? others : [catcher], out)}`
}

function basicOf(draft: Draft): string {
  const { kind, fielders, ends } = draft
  const seq = fielders.join('')
  const place = fielders[0] ?? ''
  const out = outRunners(ends).map(String)
  const [first = 1] = outRunners(ends)
  const moved = movedRunners(ends).at(-1) ?? 1
  switch (kind) {
    case 'single':
    case 'runner_hit':
      return `S${place}`
    case 'double':
    case 'fan_double':
      return `D${place}`
    case 'triple':
      return `T${place}`
    case 'home_run':
      return 'HR'
    case 'walk':
      return `W${besidesOf(draft)}`
    case 'strikeout':
    case 'strikeout_looking':
    case 'dropped_third':
      return `K${besidesOf(draft)}`
    case 'strikeout_thrown':
      return `K${seq}${besidesOf(draft)}`
    case 'strikeout_error':
      return fielders.length > 1 ? `K${erring(fielders)}` : `K+E${seq}`
    case 'force':
      return `${seq}(${first})`
    case 'double_play':
    case 'triple_play':
      return outsInOrder(fielders, [...out, 'B'])
    case 'line_double':
    case 'fly_double':
    case 'line_triple':
      return caughtFirst(fielders, out)
    case 'error':
    case 'throwing_error':
    case 'obstruction_batter':
    case 'sacrifice_fly_error':
    case 'sacrifice_hit_error':
      return `E${place}`
    case 'dropped_throw':
      return erring(fielders)
    case 'fielders_choice':
    case 'sacrifice_choice':
    case 'runner_interference':
      return `FC${place}`
    case 'steal':
      return stolen(ends)
    case 'caught':
      return `CS${letter(first + 1)}(${seq})`
    case 'caught_error':
      return `CS${letter(moved + 1)}(${erring(fielders, true)})`
    case 'picked_off':
      return `PO${first}(${seq})`
    case 'picked_off_stealing':
      return `POCS${letter(first + 1)}(${seq})`
    case 'pickoff_error':
      return `PO${moved}(${erring(fielders, true)})`
    case 'foul_error':
      return `FLE${place}`
    default:
      return CODES[kind] ?? seq
  }
}

/** Kinds with one code. */
const CODES: Partial<Record<Kind, string>> = {
  intentional_walk: 'IW',
  hit_by_pitch: 'HP',
  interference: 'C',
  batter_interference: '2',
  out_of_turn: '2',
  wild_pitch: 'WP',
  passed_ball: 'PB',
  balk: 'BK',
  indifference: 'DI',
  other_advance: 'OA',
  obstruction_runner: 'OA',
  appeal: 'OA',
}

/** Modifiers that belong to a kind, and the trajectory of its ball. */
const MODIFIERS: Partial<Record<Kind, readonly [modifiers: string, trajectory: string]>> = {
  ground: ['', 'G'],
  fly: ['', 'F'],
  line: ['', 'L'],
  pop: ['', 'P'],
  bunt: ['', 'BG'],
  force: ['FO', 'G'],
  double_play: ['GDP', 'G'],
  line_double: ['LDP', 'L'],
  fly_double: ['FDP', 'F'],
  triple_play: ['GTP', 'G'],
  line_triple: ['LTP', 'L'],
  infield_fly: ['IF', 'P'],
  fan_out: ['FINT', 'F'],
  appeal_fly: ['', 'F'],
  throwing_error: ['TH', ''],
  dropped_throw: ['', 'G'],
  sacrifice_fly_error: ['SF', 'F'],
  sacrifice_hit_error: ['SH', 'BG'],
  sacrifice_choice: ['SH', 'BG'],
  strikeout_looking: ['C', ''],
  interference: ['E2', ''],
  batter_interference: ['BINT', ''],
  runner_interference: ['RINT', ''],
  runner_hit: ['RINT', ''],
  fan_double: ['FINT', ''],
  obstruction_batter: ['OBS', ''],
  obstruction_runner: ['OBS', ''],
  out_of_turn: ['BOOT', ''],
  foul_error: ['', 'F'],
}

function modifiersOf(draft: Draft, outs: number): string[] {
  const { kind, ends, fielders, zone = '', appeal = false } = draft
  const [own = '', trajectory = ''] = MODIFIERS[kind] ?? []
  const all = [own]
  const moved = movedRunners(ends).some((from) => ends[from] !== 'out')
  if (kind === 'fly' && ends[3] === 4 && outs < 2) all.push('SF')
  if (kind === 'bunt' && moved && outs < 2) all.push('SH')
  // The runner's out counts as part of a double play, unless it is a fourth out.
  if (kind === 'appeal_fly' && outs + 1 + outRunners(ends).length <= 3) all.push('FDP')
  if (kind === 'appeal' || kind === 'appeal_fly' || appeal) all.push('AP')
  if (kind === 'home_run') all.push(zone || fielders[0] ? `F${zone || fielders[0]}` : '')
  else if (kind === 'foul_error') all.push(zone && `F${zone}`)
  else if (trajectory) all.push(`${trajectory}${zone}`)
  else if (!isRunning(kind)) all.push(landed(zone))
  return all.filter(Boolean)
}

/** Balls that come down nearer to the plate, in feet, were probably on the ground. */
const OUTFIELD = 180

/** `G56` or `L78` of a ball whose trajectory nobody said. */
function landed(zone: string): string {
  const spot = spotOf(zone)
  if (!spot) return ''
  return `${Math.hypot(spot.x, spot.y) < OUTFIELD ? 'G' : 'L'}${zone}`
}
