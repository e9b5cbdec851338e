import { expect, it } from 'vitest'
import type { GameRecord, Move, Outcome } from '@/data/games/model'
import { scorecard } from '@/features/games/scorecard'

const turnOf = (result: string) => ({
  result,
  sacrificeHit: result === 'sh',
  sacrificeFly: result === 'sf',
  doublePlay: false,
})

function play(event: string, result: string | null, changes: Partial<Outcome> = {}): GameRecord {
  const outcome = {
    batting: 0,
    inning: 1,
    batter: 'ann',
    turn: result && turnOf(result),
    outs: 1,
    moves: [],
    ...changes,
  }
  return { id: event, record: `play,1,0,ann,??,,${event}`, outcome: outcome as unknown as Outcome }
}

const home = (athlete: string): Move => ({ athlete, from: 3, to: 4, outAt: null, rbi: true, onError: false })

it.each([
  ['S7/G.1-2', 'single', '1B'],
  ['HR/F7', 'home_run', 'HR'],
  ['W', 'walk', 'BB'],
  ['K', 'strikeout', 'K'],
  ['K/C', 'strikeout', 'Kc'],
  ['K23', 'strikeout', 'K 2-3'],
  ['63/G', 'out', '6-3'],
  ['3/G', 'out', '3U'],
  ['8/F', 'out', 'F8'],
  ['4/P', 'out', 'P4'],
  ['6/L', 'out', 'L6'],
  ['9', 'out', 'F9'],
  ['8/SF/F.3-H', 'sf', 'SF8'],
  ['13/SH/BG.1-2', 'sh', 'SH 1-3'],
  ['64(1)/FO/G', 'out', 'FC 6-4'],
  ['E6/G', 'error', 'E6'],
  ['6E3/G', 'error', 'E3'],
])('writes %s (%s) as %s', (event, result, code) => {
  expect(
    scorecard([play(event, result)], 0)
      .get('ann')
      ?.get(1),
  ).toEqual([{ code, scored: false }])
})

it('marks batters who scored in the inning of their plate appearance, and leaves out the other side', () => {
  const records = [
    play('64(1)3/GDP/G', 'out', { multiplePlay: true, outs: 2 }),
    play('D7', 'double', { batter: 'bea' }),
    play('WP.2-3', null, { batter: 'cy' }),
    play('S8.3-H', 'single', { batter: 'cy', moves: [home('bea')] }),
    play('S8', 'single', { batter: 'bea', inning: 2 }),
    play('HR', 'home_run', { batter: 'dot', batting: 1, moves: [home('dot')] }),
  ]
  const card = scorecard(records, 0)
  expect(card.get('ann')?.get(1)).toEqual([{ code: '6-4-3 DP', scored: false }])
  expect(card.get('bea')?.get(1)).toEqual([{ code: '2B', scored: true }])
  expect(card.get('bea')?.get(2)).toEqual([{ code: '1B', scored: false }])
  expect(card.get('dot')).toBeUndefined()
})
