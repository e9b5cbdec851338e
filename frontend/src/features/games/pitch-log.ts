import { countOf } from '@/features/games/scoring/pitches'

/** A pitch as watchers read it, with the count after it. */
export type PitchMark = { number: number; name: string; ball: boolean; count: string }

/** Retrosheet's letters of pitches; others are signs and throws to a base. */
const NAMES: Readonly<Record<string, string>> = {
  B: 'Ball',
  I: 'Intentional ball',
  P: 'Pitchout',
  V: 'Automatic ball',
  A: 'Automatic strike',
  C: 'Called strike',
  S: 'Swinging strike',
  M: 'Missed bunt',
  Q: 'Swinging on a pitchout',
  F: 'Foul',
  R: 'Foul on a pitchout',
  T: 'Foul tip',
  O: 'Foul tip on a bunt',
  L: 'Foul bunt',
  K: 'Strike',
  H: 'Hit by pitch',
  X: 'In play',
  Y: 'In play on a pitchout',
}

/** The pitches of a turn at bat, in order. */
export function pitchLog(pitches: string): PitchMark[] {
  const marks: PitchMark[] = []
  for (const [index, letter] of Array.from(pitches).entries()) {
    const name = NAMES[letter]
    if (!name) continue
    const { balls, strikes } = countOf(pitches.slice(0, index + 1))
    marks.push({ number: marks.length + 1, name, ball: 'BIPVH'.includes(letter), count: `${balls}–${strikes}` })
  }
  return marks
}
