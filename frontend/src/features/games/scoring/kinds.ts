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
  | 'strikeout_error'
  | 'ground'
  | 'fly'
  | 'line'
  | 'pop'
  | 'bunt'
  | 'force'
  | 'double_play'
  | 'line_double'
  | 'fly_double'
  | 'triple_play'
  | 'line_triple'
  | 'error'
  | 'throwing_error'
  | 'dropped_throw'
  | 'sacrifice_fly_error'
  | 'sacrifice_hit_error'
  | 'sacrifice_choice'
  | 'fielders_choice'
  | 'interference'
  | 'batter_interference'
  | 'runner_interference'
  | 'runner_hit'
  | 'fan_out'
  | 'fan_double'
  | 'obstruction_batter'
  | 'infield_fly'
  | 'appeal_fly'
  | 'out_of_turn'
/** What can happen while the batter's turn goes on. */
export type RunnerKind =
  | 'steal'
  | 'caught'
  | 'caught_error'
  | 'picked_off'
  | 'picked_off_stealing'
  | 'pickoff_error'
  | 'wild_pitch'
  | 'passed_ball'
  | 'balk'
  | 'indifference'
  | 'other_advance'
  | 'obstruction_runner'
  | 'appeal'
  | 'foul_error'
export type Kind = BatterKind | RunnerKind

/** Where somebody ends: a base, 4 for home, or out. */
export type End = 1 | 2 | 3 | 4 | 'out'
/** Where somebody begins: 0 for the batter, else the base. */
export type Origin = 0 | 1 | 2 | 3
/** By where they are before the play. An empty base is absent. */
export type Ends = Partial<Record<Origin, End>>

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
  /** A wild throw, on which somebody took another base. `by` is null until the scorer says who threw. */
  wild?: { by: number | null; runner: Origin }
  /** A runner is out on appeal; only then a play may have a fourth out. */
  appeal?: boolean
}

/** A stolen base, a wild pitch, a passed ball. */
export type Besides = 'SB' | 'WP' | 'PB'

/** Runners from third to first. */
export const FROM = [3, 2, 1] as const

type Facts = {
  /** Where the batter ends, unless the scorer says otherwise; null while the turn at bat goes on. */
  batter: End | null
  /** Whether the scorer says who fielded the ball: `place` where it was hit, `one` who, `order` who in order. */
  fielders?: 'place' | 'one' | 'order'
  /** A batted ball came down somewhere. */
  batted?: true
  /** Who usually fields it. */
  usual?: readonly number[]
  /** How many runners the play's own code puts out. */
  retires?: 1 | 2
  /** How the turn ends, in the words of the function `score`; the kind itself if absent. */
  result?: string
}

const hit = (batter: End): Facts => ({ batter, fielders: 'place', batted: true })
const out = (also: Partial<Facts> = {}): Facts => ({ batter: 'out', fielders: 'order', result: 'out', ...also })
const safe = (result: string, also: Partial<Facts> = {}): Facts => ({
  batter: 1,
  fielders: 'one',
  batted: true,
  result,
  ...also,
})
const strikeout = (also: Partial<Facts> = {}): Facts => ({ batter: 'out', result: 'strikeout', ...also })
const running = (also: Partial<Facts> = {}): Facts => ({ batter: null, ...also })

const KINDS: Readonly<Record<Kind, Facts>> = {
  single: hit(1),
  double: hit(2),
  triple: hit(3),
  home_run: hit(4),
  walk: { batter: 1 },
  intentional_walk: { batter: 1 },
  hit_by_pitch: { batter: 1 },
  interference: { batter: 1 },
  strikeout: strikeout(),
  strikeout_looking: strikeout(),
  dropped_third: strikeout({ batter: 1 }),
  strikeout_thrown: strikeout({ fielders: 'order', usual: [2, 3] }),
  strikeout_error: strikeout({ batter: 1, fielders: 'order', usual: [2] }),
  ground: out({ batted: true }),
  fly: out({ batted: true }),
  line: out({ batted: true }),
  pop: out({ batted: true }),
  bunt: out({ batted: true }),
  force: out({ batter: 1, batted: true, usual: [6, 4], retires: 1 }),
  double_play: out({ batted: true, usual: [6, 4, 3], retires: 1 }),
  line_double: out({ batted: true, retires: 1 }),
  fly_double: out({ batted: true, retires: 1 }),
  triple_play: out({ batted: true, usual: [5, 4, 3], retires: 2 }),
  line_triple: out({ batted: true, retires: 2 }),
  infield_fly: out({ fielders: 'one', batted: true }),
  fan_out: out({ fielders: 'one', batted: true }),
  appeal_fly: out({ batted: true }),
  batter_interference: out({ fielders: undefined }),
  out_of_turn: out({ fielders: undefined }),
  error: safe('error'),
  throwing_error: safe('error'),
  dropped_throw: safe('error', { fielders: 'order', usual: [6, 3] }),
  obstruction_batter: safe('error', { batted: undefined, usual: [3] }),
  sacrifice_fly_error: safe('error'),
  sacrifice_hit_error: safe('error'),
  sacrifice_choice: safe('fielders_choice'),
  fielders_choice: safe('fielders_choice', { fielders: 'order' }),
  runner_interference: safe('fielders_choice'),
  runner_hit: safe('single'),
  fan_double: { ...hit(2), result: 'double' },
  steal: running(),
  caught: running({ fielders: 'order', usual: [2, 6], retires: 1 }),
  caught_error: running({ fielders: 'order', usual: [2, 6] }),
  picked_off: running({ fielders: 'order', usual: [1, 3], retires: 1 }),
  picked_off_stealing: running({ fielders: 'order', usual: [1, 3, 6], retires: 1 }),
  pickoff_error: running({ fielders: 'order', usual: [1] }),
  wild_pitch: running(),
  passed_ball: running(),
  balk: running(),
  indifference: running(),
  other_advance: running(),
  obstruction_runner: running({ fielders: 'one' }),
  appeal: running({ fielders: 'order' }),
  foul_error: running({ fielders: 'one', batted: true }),
}

export const isRunning = (kind: Kind): kind is RunnerKind => KINDS[kind].batter === null

/** Where the batter ends by the play's own code; null while the turn at bat goes on. */
export const batterEnd = (kind: Kind) => KINDS[kind].batter

export const usualFielders = (kind: Kind) => KINDS[kind].usual ?? []

/** How many runners the play's own code puts out. */
export const retires = (kind: Kind) => KINDS[kind].retires ?? 0

/** How the turn at bat ends, in the words of the function `score`. */
export const resultOf = (kind: Kind) => KINDS[kind].result ?? kind

/** Whether the scorer must say who fielded the ball. */
export const needsFielders = (kind: Kind) => ['one', 'order'].includes(KINDS[kind].fielders ?? '')

/** Whether only one fielder counts. */
export const hasOneFielder = (kind: Kind) => ['one', 'place'].includes(KINDS[kind].fielders ?? '')

/** Whether the scorer may say where a hit went. */
export const takesPlace = (kind: Kind) => KINDS[kind].fielders === 'place'

/** Whether a batted ball came down somewhere. */
export const isBatted = (kind: Kind) => KINDS[kind].batted === true

export const isStrikeout = (kind: Kind) => KINDS[kind].result === 'strikeout'

/** The runners who end somewhere else than they began, from third to first. */
export const movedRunners = (ends: Ends) => FROM.filter((from) => ends[from] !== undefined && ends[from] !== from)

/** The runners who are put out, from third to first. */
export const outRunners = (ends: Ends) => FROM.filter((from) => ends[from] === 'out')

/** Whether the scorer must say how runners moved: the ball was not hit, and a runner moved who was not forced to. */
export const needsBesides = ({ kind, ends }: Draft) =>
  kind === 'dropped_third' ||
  ((isStrikeout(kind) || kind === 'walk') &&
    kind !== 'strikeout_error' &&
    FROM.some((from) => {
      const end = ends[from]
      const forced = kind === 'walk' && [1, 2, 3].slice(0, from).every((one) => ends[one as 1] !== undefined)
      return end !== undefined && end !== 'out' && end !== (forced ? from + 1 : from)
    }))
