import type { GameRecord, Outcome, Side } from '@/data/games/model'
import { eventOf } from '@/features/games/words'

/** One turn at bat on a score card: its code, and whether the batter came home in that inning. */
export type Mark = { code: string; scored: boolean }

/** The turns at bat of a side: by athlete, then by inning. */
export type Scorecard = ReadonlyMap<string, ReadonlyMap<number, readonly Mark[]>>

/** The score card of a side, like one on paper. */
export function scorecard(records: readonly GameRecord[], side: Side): Scorecard {
  const card = new Map<string, Map<number, Mark[]>>()
  const marksOf = (athlete: string, inning: number) => {
    const innings = card.get(athlete) ?? new Map<number, Mark[]>()
    const marks = innings.get(inning) ?? []
    card.set(athlete, innings.set(inning, marks))
    return marks
  }
  for (const { record, outcome } of records) {
    if (outcome?.batting !== side) continue
    if (outcome.turn) marksOf(outcome.batter, outcome.inning).push({ code: codeOf(record, outcome), scored: false })
    for (const { athlete, to } of outcome.moves) {
      // A pinch runner may have no plate appearance in this inning to mark.
      const mark = to === 4 ? card.get(athlete)?.get(outcome.inning)?.at(-1) : undefined
      if (mark) mark.scored = true
    }
  }
  return card
}

const CODES: Readonly<Record<string, string>> = {
  single: '1B',
  double: '2B',
  triple: '3B',
  home_run: 'HR',
  walk: 'BB',
  intentional_walk: 'IBB',
  hit_by_pitch: 'HBP',
  interference: 'CI',
  fielders_choice: 'FC',
}

function codeOf(record: string, { turn, multiplePlay, outs }: Outcome): string {
  const [main = ''] = eventOf(record).split('.')
  const [basic = '', ...modifiers] = main.split('/')
  const fielders = basic.replace(/\([^)]*\)/g, '').match(/[1-9]/g) ?? []
  const known = CODES[turn?.result ?? '']
  if (known) return known
  if (turn?.result === 'strikeout')
    return `K${modifiers.includes('C') ? 'c' : ''}${fielders.length > 1 ? ` ${fielders.join('-')}` : ''}`
  if (turn?.result === 'error') return `E${/E(\d)/.exec(main)?.[1] ?? ''}`
  const sequence = fielders.join('-')
  if (multiplePlay) return `${sequence} ${outs === 3 ? 'TP' : 'DP'}`
  if (turn?.sacrificeHit) return `SH ${sequence}`
  if (turn?.sacrificeFly) return `SF${fielders[0] ?? ''}`
  if (modifiers.includes('FO')) return `FC ${sequence}`
  const [ball = ''] = modifiers.map((one) => one[0]).filter((one) => one && 'FLP'.includes(one))
  if (fielders.length === 1 && (ball || Number(sequence) >= 7)) return `${ball || 'F'}${sequence}`
  return fielders.length === 1 ? `${sequence}U` : sequence
}
