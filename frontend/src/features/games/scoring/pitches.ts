import type { GameRecord } from '@/data/games/model'
import { isRunning, type Kind } from '@/features/games/scoring/compose'
import { END_OF_HALF } from '@/features/games/scoring/standing'

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

/** The last pitch of each kind of turn; others end with a ball in play. */
const LAST: Partial<Record<Kind, string>> = {
  walk: 'B',
  intentional_walk: 'I',
  hit_by_pitch: 'H',
  strikeout: 'S',
  strikeout_looking: 'C',
  dropped_third: 'S',
  strikeout_thrown: 'S',
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
    return { count: `${balls}${strikes}`, pitches }
  }
  const last = LAST[kind] ?? 'X'
  const ended = endedBy(pitches) !== null
  const before = ended ? pitches.slice(0, -1) : pitches
  const { balls, strikes } = countOf(before)
  const whole = ended ? pitches : pitches + last
  const struckOut =
    kind === 'strikeout' || kind === 'strikeout_looking' || kind === 'dropped_third' || kind === 'strikeout_thrown'
  if ((struckOut && strikes !== 2) || (kind === 'walk' && balls !== 3) || balls > 3 || strikes > 2) return unknown
  return { count: `${balls}${strikes}`, pitches: whole }
}

/** The pitches of a record. */
export const pitchesOf = (record: string) => (record.startsWith('play,') ? (record.split(',')[5] ?? '') : '')

/** The last play of a game: pitches entered now come after it. */
export const lastPlay = (records: readonly GameRecord[]) =>
  records.findLast(({ record }) => record.startsWith('play,')) ?? null

/** The running play that interrupted the current plate appearance. */
export function interruption(records: readonly GameRecord[]): GameRecord | null {
  const play = lastPlay(records)
  const { outcome } = play ?? {}
  if (!play || !outcome || outcome.turn || outcome.outsBefore + outcome.outs >= 3) return null
  const isOver = records.slice(records.indexOf(play)).some(({ record }) => record === END_OF_HALF)
  return isOver ? null : play
}

/** Pitches of the plate appearance before a running play interrupted it. */
export function carriedPitches(records: readonly GameRecord[]): string {
  const pitches = pitchesOf(interruption(records)?.record ?? '')
  return pitches && `${pitches}.`
}

const thrown = (pitches: string) => pitches.replace(/[^A-Z]/g, '').length

/** The pitches entered for a pitcher so far, in this game. */
export function pitchCount(records: readonly GameRecord[], pitcher: string, now: string): number {
  const turns = records.filter(({ outcome }) => outcome?.turn && outcome.pitcher === pitcher)
  return turns.reduce((sum, { record }) => sum + thrown(pitchesOf(record)), 0) + thrown(now)
}
