import type { Athlete, GameRecord, Side } from '@/data/games/model'
import { isRunning, isStrikeout, type Kind } from '@/features/games/scoring/kinds'
import { END_OF_HALF, other, type Standing } from '@/features/games/scoring/standing'

/** Retrosheet's codes of the pitches that a scorer taps. */
export type Pitch = 'B' | 'C' | 'S' | 'F'
export const PITCHES: readonly (readonly [pitch: Pitch, name: string])[] = [
  ['B', 'Ball'],
  ['C', 'Called strike'],
  ['S', 'Swinging strike'],
  ['F', 'Foul'],
]

export type Count = { balls: number; strikes: number }

/** The count after pitches, of which archives have more kinds than the page; a foul is no third strike. */
export function countOf(pitches: string): Count {
  let [balls, strikes] = [0, 0]
  for (const pitch of pitches) {
    if ('BIPV'.includes(pitch)) balls += 1
    else if ('CSTLMKQ'.includes(pitch) || (pitch === 'F' && strikes < 2)) strikes += 1
  }
  return { balls, strikes }
}

/** What the next pitch makes of the turn at bat: its end, or nothing. */
export function endedBy(pitches: string): Kind | null {
  const { balls, strikes } = countOf(pitches)
  if (balls >= 4) return 'walk'
  if (strikes < 3) return null
  return pitches.endsWith('C') ? 'strikeout_looking' : 'strikeout'
}

/** The last pitch of each kind of play; other turns end with a ball in play. */
const LAST: Partial<Record<Kind, string>> = {
  walk: 'B',
  intentional_walk: 'I',
  hit_by_pitch: 'H',
  strikeout: 'S',
  strikeout_looking: 'C',
  dropped_third: 'S',
  strikeout_thrown: 'S',
  strikeout_error: 'S',
  // The foul ball; the turn goes on.
  foul_error: 'F',
  // An appeal comes without a pitch.
  out_of_turn: '',
}

/**
 * Count and pitches of a play as its record has them: the count is that before the last pitch. Both are unknown if no pitch
 * was entered, or if they contradict the play.
 */
export function pitchFields(pitches: string, kind: Kind): { count: string; pitches: string } {
  const unknown = { count: '??', pitches: '' }
  if (pitches === '') return unknown
  if (isRunning(kind)) {
    const { balls, strikes } = countOf(pitches)
    return { count: `${balls}${strikes}`, pitches: pitches + (LAST[kind] ?? '') }
  }
  const last = LAST[kind] ?? 'X'
  const ended = endedBy(pitches) !== null
  const before = ended ? pitches.slice(0, -1) : pitches
  const { balls, strikes } = countOf(before)
  const whole = ended ? pitches : pitches + last
  if ((isStrikeout(kind) && strikes !== 2) || (kind === 'walk' && balls !== 3) || balls > 3 || strikes > 2)
    return unknown
  return { count: `${balls}${strikes}`, pitches: whole }
}

/** The pitches of a record. */
export const pitchesOf = (record: string) => (record.startsWith('play,') ? (record.split(',')[5] ?? '') : '')

/** The last play of a game: pitches entered now come after it. */
export const lastPlay = (records: readonly GameRecord[]) =>
  records.findLast(({ record }) => record.startsWith('play,')) ?? null

/** Retrosheet's record of the pitches so far, before a substitution or the end of the half-inning interrupts a plate appearance. */
export function noPlay({ inning, batting, batter }: Standing, pitches: string): string {
  const { balls, strikes } = countOf(pitches)
  return `play,${inning},${batting},${batter},${balls}${strikes},${pitches},NP`
}

/** The running play or substitution that interrupted the current plate appearance. */
export function interruption(records: readonly GameRecord[]): GameRecord | null {
  const play = lastPlay(records)
  if (!play) return null
  const { outcome, record } = play
  if (outcome ? outcome.turn || outcome.outsBefore + outcome.outs >= 3 : pitchesOf(record) === '') return null
  const isOver = records.slice(records.indexOf(play)).some(({ record }) => record === END_OF_HALF)
  return isOver ? null : play
}

/**
 * The pitches of the plate appearance that goes on when a record is taken out, of which `pitches` are entered now; null if they
 * stay as they are.
 */
export function pitchesWithout(records: readonly GameRecord[], removed: GameRecord, pitches: string): string | null {
  const carried = carriedPitches(records)
  if (isNoPlay(removed) && interruption(records) === removed)
    return carried.slice(0, -1) + pitches.slice(carried.length)
  return removed.record === END_OF_HALF ? carriedPitches(records.filter((one) => one !== removed)) : null
}

/** Whether a record holds pitches that others count on: those of a plate appearance that went on, or that the half-inning ended. */
export const isKept = (records: readonly GameRecord[], record: GameRecord) =>
  isNoPlay(record) && interruption(records) !== record

const isNoPlay = ({ record, outcome }: GameRecord) => outcome === null && pitchesOf(record) !== ''

/** Pitches of the plate appearance before it was interrupted. */
export function carriedPitches(records: readonly GameRecord[]): string {
  const pitches = pitchesOf(interruption(records)?.record ?? '')
  return pitches && `${pitches}.`
}

const lettersOf = (pitches: string) => pitches.replace(/[^A-Z]/g, '')

/**
 * The pitches entered for a pitcher so far, in this game. `now` are those of the unfinished plate appearance, which this
 * pitcher pitches. A record repeats the earlier pitches of its plate appearance: each counts for the pitcher who threw it.
 */
export function pitchCount(
  athletes: ReadonlyMap<string, Pick<Athlete, 'side' | 'position'>>,
  records: readonly GameRecord[],
  pitcher: string,
  now: string,
): number {
  const starter = (side: Side) => [...athletes].find(([, one]) => one.side === side && one.position === 1)?.[0]
  const pitchers = [starter(0), starter(1)]
  let earlier = ''
  const fresh = (pitches: string) => {
    const letters = lettersOf(pitches)
    if (letters === '') return 0
    const count = letters.startsWith(earlier) ? letters.length - earlier.length : letters.length
    earlier = letters
    return count
  }
  let sum = 0
  for (const { record, outcome } of records) {
    if (record === END_OF_HALF) earlier = ''
    const fields = record.split(',')
    if (fields[0] === 'sub' && fields[5] === '1') pitchers[fields[3] === '1' ? 1 : 0] = fields[1]
    if (fields[0] !== 'play') continue
    const side = other(fields[2] === '1' ? 1 : 0)
    if (outcome) pitchers[side] = outcome.pitcher
    const count = fresh(pitchesOf(record))
    if (pitchers[side] === pitcher) sum += count
    if (outcome && (outcome.turn || outcome.outsBefore + outcome.outs >= 3)) earlier = ''
  }
  return sum + fresh(now)
}
