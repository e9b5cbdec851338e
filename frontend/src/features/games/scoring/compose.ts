import type { Bases, Move, Outcome, Turn } from '@/data/games/model'
import {
  batterEnd,
  FROM,
  isRunning,
  movedRunners,
  needsBesides,
  needsFielders,
  outRunners,
  resultOf,
  type Draft,
  type Kind,
  type Origin,
} from '@/features/games/scoring/kinds'
import { advancesOut, eventOf, retiredBy } from '@/features/games/scoring/notation'
import { pitchFields } from '@/features/games/scoring/pitches'
import type { Standing } from '@/features/games/scoring/standing'

/** What keeps a draft from being saved, in words; null if nothing does. */
export function problemOf(draft: Draft, { outs }: Pick<Standing, 'outs'>): string | null {
  const { kind, fielders, ends, appeal = false } = draft
  const made = outRunners(ends).length + (ends[0] === 'out' ? 1 : 0)
  const held = ([0, ...FROM] as const).map((from) => ends[from]).filter((end) => typeof end === 'number' && end < 4)
  if (needsFielders(kind) && fielders.length === 0) return 'Tap who fielded the ball.'
  const own = problemOfKind(draft)
  if (own) return own
  if (new Set(held).size < held.length) return 'Two runners are on one base.'
  const most = appeal || kind === 'appeal_fly' ? 4 : 3
  if (outs + made > most) return `There would be ${outs + made} outs.`
  if (scoresOnThirdOut(draft, outs + made))
    return 'No run counts: the third out is a force out, or the batter’s before first base.'
  if (needsBesides(draft) && !draft.besides) return 'Choose how the runner moved.'
  const wild = problemOfWild(draft)
  if (wild) return wild
  return advancesOut(draft).length > 0 && retiredBy(draft).length === 0 ? 'Tap who put the runner out.' : null
}

/** Those whose runners end as the kind says. */
function problemOfKind({ kind, fielders, ends }: Draft): string | null {
  const [out, moved] = [outRunners(ends), movedRunners(ends)]
  switch (kind) {
    case 'double_play':
      if (fielders.length < 2) return 'Tap at least two fielders.'
      return out.length === 1 && ends[0] === 'out' ? null : 'A double play here puts out the batter and one runner.'
    case 'line_double':
    case 'fly_double':
      return out.length === 1 ? null : 'This double play puts out the batter and one runner.'
    case 'triple_play':
    case 'line_triple':
      return out.length === 2 ? null : 'A triple play here puts out the batter and two runners.'
    case 'force':
      return out.length === 1 ? null : 'A force play puts out one runner.'
    case 'caught':
    case 'picked_off':
    case 'picked_off_stealing':
    case 'appeal':
      return out.length === 1 ? null : 'Choose the one runner who is out.'
    case 'appeal_fly':
    case 'runner_interference':
    case 'runner_hit':
      return out.length > 0 ? null : 'Choose the runner who is out.'
    case 'caught_error':
    case 'pickoff_error':
    case 'obstruction_runner':
      if (out.length > 0) return 'The runner is safe on this play.'
      return moved.length > 0 ? null : 'Choose the runner who moves.'
    case 'steal':
      if (out.length > 0) return 'Choose “Caught stealing” for a runner who is out.'
      return moved.length > 0 ? null : 'Choose the runner who moves.'
    case 'foul_error':
      return moved.length > 0 ? 'Nobody moves on a dropped foul fly.' : null
    default:
      return isRunning(kind) && moved.length === 0 ? 'Choose the runner who moves.' : null
  }
}

/** What is missing of a wild throw. */
function problemOfWild({ kind, ends, wild }: Draft): string | null {
  if (!wild) return null
  if (!wild.by) return 'Tap who threw the ball away.'
  const end = ends[wild.runner]
  const usual = wild.runner === 0 ? batterEnd(kind) : kind === 'steal' ? wild.runner + 1 : wild.runner
  const further = typeof end === 'number' && typeof usual === 'number' && end > usual
  return further ? null : 'Choose the base that the runner reached on the wild throw.'
}

const FORCED: readonly Kind[] = ['force', 'double_play', 'triple_play']

/** Whether a run is entered on a third out that lets none count (rule 5.08(a)). */
function scoresOnThirdOut({ kind, ends }: Draft, outs: number): boolean {
  const batterFirst = batterEnd(kind) === 'out' && ends[0] === 'out' && outRunners(ends).length === 0
  return outs === 3 && (batterFirst || FORCED.includes(kind)) && FROM.some((from) => ends[from] === 4)
}

/** The outcome as this device shows it until the server has computed its own. */
export function outcomeOf(draft: Draft, now: Standing): Outcome {
  const { kind, ends } = draft
  const who = (from: Origin) => (from === 0 ? now.batter : now.bases[from - 1]) ?? ''
  const bases: Bases = [null, null, null]
  const moves: Move[] = []
  const event = eventOf(draft, now.outs)
  let [made, runs] = [0, 0]
  for (const from of [...FROM, 0] as const) {
    const end = ends[from]
    if (end === undefined) continue
    if (end === 'out') made += 1
    else if (end === 4) runs += 1
    else bases[end - 1] = who(from)
    if (end === from) continue
    const to = end === 'out' ? null : end
    const outAt = end === 'out' && from > 0 && kind !== 'picked_off' ? Math.min(4, from + 1) : null
    const onError = resultOf(kind) === 'error' || draft.wild?.runner === from
    moves.push({ athlete: who(from), from, to, outAt, rbi: false, onError })
  }
  const score: [number, number] = [...now.score]
  score[now.batting] += runs
  const turn: Turn | null = isRunning(kind)
    ? null
    : {
        result: resultOf(kind),
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
    // A fourth out, on appeal, is recorded but not counted.
    outs: Math.min(made, 3 - now.outs),
    multiplePlay: /\/[GLF]?[DT]P/.test(event),
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
