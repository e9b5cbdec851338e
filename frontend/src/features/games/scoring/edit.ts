import type { GameRecord, Outcome, Side } from '@/data/games/model'
import { words } from '@/features/games/words'

/** A later play that an edit changes, in words. */
export type Change = { id: string; inning: number; batting: Side; before: string; after: string }

const bases = ({ bases }: Outcome) => {
  const on = ['1st', '2nd', '3rd'].filter((_, index) => bases[index] !== null)
  return on.length > 0 ? `on ${on.join(' and ')}` : 'bases empty'
}

/** "Single to left. Bell scores. 1 out, on 1st, 2–1" */
function said({ record, outcome }: GameRecord & { outcome: Outcome }, name: (id: string) => string): string {
  const { title, detail } = words({ record, outcome }, name)
  const outs = outcome.outsBefore + outcome.outs
  const after = [outs === 1 ? '1 out' : `${outs} outs`, bases(outcome), outcome.score.join('–')].join(', ')
  return [title, detail, after].filter(Boolean).join('. ')
}

/** The plays besides the edited one whose outcome is another one than before. */
export function changesOf(
  before: readonly GameRecord[],
  after: readonly GameRecord[],
  name: (id: string) => string,
): Change[] {
  const known = new Map(before.map((record) => [record.id, record]))
  return after.flatMap((record) => {
    const old = known.get(record.id)
    if (!old?.outcome || !record.outcome) return []
    const [was, is] = [said({ ...old, outcome: old.outcome }, name), said({ ...record, outcome: record.outcome }, name)]
    const { inning, batting } = record.outcome
    return was === is ? [] : [{ id: record.id, inning, batting, before: was, after: is }]
  })
}
