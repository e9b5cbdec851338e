import type { Bases } from '@/data/games/model'
import {
  batterEnd,
  FROM,
  isRunning,
  usualFielders,
  type Draft,
  type End,
  type Kind,
} from '@/features/games/scoring/kinds'

/** A new play with the most likely advances. With `toWin` runs the side at bat wins at once, so that no more are proposed. */
export function draftOf(kind: Kind, bases: Bases, outs: number, toWin: number | null = null): Draft {
  const winner = toWin === null ? undefined : winningRunner(kind, bases, outs, toWin)
  const counted = winner === undefined ? kind : walkOffHit(kind, winner)
  const ends: Draft['ends'] = {}
  const usual = batterEnd(counted)
  if (usual !== null) ends[0] = usual
  for (const from of FROM) {
    if (bases[from - 1] === null) continue
    if (winner === undefined) ends[from] = likely(kind, from, bases, outs)
    // Nobody scores after the winning run (rule 5.08(b)).
    else ends[from] = from >= winner ? 4 : ((from + basesOf(counted)) as End)
  }
  return {
    kind: counted,
    fielders: usualFielders(kind),
    ends,
    putOutBy: [],
    besides: kind === 'dropped_third' ? 'WP' : undefined,
  }
}

/** A play of the list of odd plays. On a wild throw the runner nearest to home takes another base. */
export function oddDraft({ kind, wild, appeal }: { kind: Kind; wild?: true; appeal?: true }, now: Situation): Draft {
  const draft = draftOf(kind, now.bases, now.outs, now.toWin)
  const { ends } = draft
  const runner = wild && ([3, 2, 1, 0] as const).find((from) => typeof ends[from] === 'number' && ends[from] < 4)
  if (runner !== undefined) ends[runner] = (Number(ends[runner]) + 1) as End
  return { ...draft, wild: runner === undefined ? undefined : { by: null, runner }, appeal }
}

type Situation = { bases: Bases; outs: number; toWin: number | null }

const HITS: readonly Kind[] = ['single', 'double', 'triple']

/** The bases of a hit inside the park; 0 for other plays. */
const basesOf = (kind: Kind) => (kind === 'fan_double' ? 2 : HITS.indexOf(kind) + 1)

/** The runner who would score the winning run on a hit that is no home run. */
const winningRunner = (kind: Kind, bases: Bases, outs: number, toWin: number) =>
  basesOf(kind) === 0
    ? undefined
    : FROM.filter((from) => bases[from - 1] !== null && likely(kind, from, bases, outs) === 4)[toWin - 1]

/** A hit that wins the game counts for as many bases as the runner with the winning run advances (rule 9.06(f)). */
const walkOffHit = (kind: Kind, winner: number): Kind =>
  basesOf(kind) <= 4 - winner ? kind : (HITS[3 - winner] ?? kind)

/** The runner nearest to home of those who are forced, whom a force play usually retires. */
const forcedFrom = (bases: Bases): 1 | 2 | 3 => (bases[0] && bases[1] && bases[2] ? 3 : bases[0] && bases[1] ? 2 : 1)

const isForced = (from: number, bases: Bases) => bases.slice(0, from).every((runner) => runner !== null)

/** Occupied bases, from third to first. */
const occupied = (bases: Bases) => FROM.filter((one) => bases[one - 1] !== null)

function likely(kind: Kind, from: 1 | 2 | 3, bases: Bases, outs: number): End {
  const by = (count: number): End => Math.min(4, from + count) as End
  const forced = (): End => (isForced(from, bases) ? by(1) : from)
  switch (kind) {
    case 'home_run':
    case 'triple':
      return 4
    case 'double':
    case 'fan_double':
      return by(2)
    case 'single':
      return from >= 2 ? 4 : 2
    case 'error':
    case 'throwing_error':
    case 'dropped_throw':
    case 'sacrifice_hit_error':
    case 'sacrifice_choice':
    case 'wild_pitch':
    case 'passed_ball':
    case 'balk':
      return by(1)
    case 'bunt':
      // The batter is the third out before reaching first base, so that nobody scores.
      return outs < 2 ? by(1) : from
    case 'ground':
      return outs < 2 ? forced() : from
    case 'sacrifice_fly_error':
      return from === 3 ? 4 : from
    case 'walk':
    case 'intentional_walk':
    case 'hit_by_pitch':
    case 'interference':
    case 'dropped_third':
    case 'strikeout_error':
    case 'fielders_choice':
    case 'obstruction_batter':
      return forced()
    default:
      return isRunning(kind) ? likelyRunning(kind, from, bases) : likelyOut(kind, from, bases, outs)
  }
}

/** For plays that put out a runner. */
function likelyOut(kind: Kind, from: 1 | 2 | 3, bases: Bases, outs: number): End {
  const next = (from + 1) as End
  switch (kind) {
    case 'force':
      return from === forcedFrom(bases) ? 'out' : outs < 2 && isForced(from, bases) ? next : from
    case 'double_play':
      return from === 1 ? 'out' : outs === 0 ? next : from
    case 'triple_play':
    case 'line_triple':
      return occupied(bases).slice(-2).includes(from) ? 'out' : from
    case 'line_double':
    case 'appeal_fly':
      return occupied(bases).at(-1) === from ? 'out' : from
    case 'fly_double':
      return occupied(bases)[0] === from ? 'out' : from
    case 'runner_interference':
    case 'runner_hit':
      return from === forcedFrom(bases) || occupied(bases).length === 1 ? 'out' : isForced(from, bases) ? next : from
    default:
      return from
  }
}

/** For plays before the turn at bat ends. */
function likelyRunning(kind: Kind, from: 1 | 2 | 3, bases: Bases): End {
  const last = occupied(bases).at(-1) === from
  const next = (from + 1) as End
  switch (kind) {
    case 'steal':
    case 'indifference':
    case 'caught_error':
    case 'other_advance':
    case 'obstruction_runner':
      // The last runner goes, if the next base is free.
      return last && (from === 3 || bases[from] === null) ? next : from
    case 'pickoff_error':
      return next
    case 'caught':
    case 'picked_off':
    case 'picked_off_stealing':
    case 'appeal':
      return last ? 'out' : from
    default:
      return from
  }
}
