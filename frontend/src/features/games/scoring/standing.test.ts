import { describe, expect, it } from 'vitest'
import type { Athlete, GameRecord } from '@/data/games/model'
import { outcomeOf, recordOf } from '@/features/games/scoring/compose'
import type { Kind } from '@/features/games/scoring/kinds'
import { draftOf } from '@/features/games/scoring/likely'
import { carriedPitches } from '@/features/games/scoring/pitches'
import { END_OF_HALF, standingOf } from '@/features/games/scoring/standing'

const athletes = ([0, 1] as const).flatMap((side) =>
  Array.from({ length: 9 }, (_, index): [string, Athlete] => {
    const id = `${side === 0 ? 'v' : 'h'}${index + 1}`
    const [order, position] = [index + 1, index === 8 ? 1 : index + 2]
    return [id, { id, side, jersey: null, initial: 'A', full_name: null, user_id: null, order, position }]
  }),
)
const GAME = { innings: 3, home_bats_first: false, athletes: new Map(athletes), run_rule: null, extra_runner: null }

/** A kind of play as it is proposed, or a record of another kind. */
function after(game: Parameters<typeof standingOf>[0], ...entries: string[]) {
  const records: GameRecord[] = []
  for (const entry of entries) {
    const id = String(records.length)
    const now = standingOf(game, records)
    if (entry.includes(',')) records.push({ id, record: entry, outcome: null })
    else {
      const draft = draftOf(entry as Kind, now.bases, now.outs)
      records.push({ id, record: recordOf(draft, now, 'B'), outcome: outcomeOf(draft, now) })
    }
  }
  return { now: standingOf(game, records), records }
}

const three = ['strikeout', 'strikeout', 'strikeout']

describe('a half-inning of fewer than three outs', () => {
  it('ends when the scorer says so, and the same batter is due later', () => {
    const { now, records } = after(GAME, 'home_run', 'walk', 'steal', END_OF_HALF)
    expect(now).toMatchObject({
      inning: 1,
      batting: 1,
      outs: 0,
      bases: [null, null, null],
      batter: 'h1',
      score: [1, 0],
    })
    expect(now.sideRetired).toBe(true)
    expect(carriedPitches(records)).toBe('')
    expect(carriedPitches(records.slice(0, -1))).toBe('B.')
    expect(after(GAME, 'home_run', 'walk', 'steal', END_OF_HALF, ...three).now.batter).toBe('v3')
  })

  it('ends a game of which it is the last', () => {
    const five = [three, three, three, three, three].flat()
    expect(after(GAME, 'home_run', ...five).now.decided).toBe(false)
    expect(after(GAME, 'home_run', ...five, 'walk', END_OF_HALF).now.decided).toBe(true)
  })

  it('ends with the game by the run rule, also without a connection', () => {
    const rule = { ...GAME, run_rule: '10/3;2/1' }
    expect(after(rule, ...three, 'home_run', 'home_run').now).toMatchObject({ decided: true, score: [0, 2] })
    expect(after(rule, 'home_run', 'home_run', ...three).now.decided).toBe(false)
    expect(after(rule, 'home_run', 'home_run', ...three, ...three).now.decided).toBe(true)
    expect(after(rule, 'home_run', ...three, ...three).now.decided).toBe(false)
  })
})

it('asks for the extra runner once, in extra innings alone', () => {
  const rule = { ...GAME, extra_runner: 2 }
  const regular = Array.from({ length: 6 }, () => three).flat()
  expect(after(rule, ...regular.slice(3)).now.runnerDue).toBeNull()
  expect(after(rule, ...regular).now).toMatchObject({ inning: 4, runnerDue: { athlete: 'v9', base: 2 } })
  expect(after(GAME, ...regular).now.runnerDue).toBeNull()
  const placed = [...regular, 'radj,v9,2']
  expect(after(rule, ...placed).now).toMatchObject({
    inning: 4,
    batting: 0,
    bases: [null, 'v9', null],
    runnerDue: null,
  })
  expect(after(rule, ...placed, 'single').now).toMatchObject({ score: [1, 0], runnerDue: null })
  expect(after(rule, ...placed, ...three).now).toMatchObject({ batting: 1, runnerDue: { athlete: 'h9', base: 2 } })
})
