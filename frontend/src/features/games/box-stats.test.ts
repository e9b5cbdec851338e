import { expect, it } from 'vitest'
import type { GameRecord, Move, Outcome } from '@/data/games/model'
import { BATTING, PITCHING, playsOf, type Play } from '@/features/games/box-stats'

const move = (athlete: string, from: number, to: number | null, rbi = false): Move => {
  return { athlete, from, to, outAt: null, rbi, onError: false }
}

let count = 0
function play(
  event: string,
  batter: string,
  pitcher: string,
  result: string | null,
  given: Partial<Outcome>,
): GameRecord {
  const turn = result ? { result, sacrificeHit: false, sacrificeFly: event.includes('/SF'), doublePlay: false } : null
  const whole = { inning: 1, batting: 0, batter, pitcher, turn, outs: 0, moves: [], ...given } as unknown as Outcome
  count += 1
  return { id: String(count), record: `play,1,0,${batter},??,,${event}`, outcome: whole }
}

const GAME = [
  play('W', 'Ann', 'Old', 'walk', { moves: [move('Ann', 0, 1)] }),
  play('S7.1-3', 'Bo', 'Old', 'single', { moves: [move('Ann', 1, 3), move('Bo', 0, 1)] }),
  // The reliever's batter reaches while Old's runner is out: Old is responsible for one runner more.
  play('64(1)/FO', 'Cy', 'New', 'out', { outs: 1, moves: [move('Bo', 1, null), move('Cy', 0, 1)] }),
  play('8/SF.3-H', 'Di', 'New', 'out', { outs: 1, moves: [move('Ann', 3, 4, true), move('Di', 0, null)] }),
  play('D7.1-H', 'Ed', 'New', 'double', { moves: [move('Cy', 1, 4, true), move('Ed', 0, 2)] }),
  play('S8.2-H', 'Flo', 'New', 'single', { moves: [move('Ed', 2, 4, true), move('Flo', 0, 1)] }),
  play('K', 'Gus', 'New', 'strikeout', { outs: 1, moves: [move('Gus', 0, null)] }),
  play('HR', 'Ann', 'New', 'home_run', { inning: 2, moves: [move('Ann', 0, 4, true)] }),
]
const plays = playsOf(GAME, 0)

type Counted = { short: string; counts: (play: Play, athlete: string | null) => number }
const sum = (stats: readonly Counted[], short: string, athlete: string | null) =>
  plays.reduce((sum, one) => sum + (stats.find((stat) => stat.short === short)?.counts(one, athlete) ?? 0), 0)

it('finds the plays of a batter', () => {
  const ann = BATTING.map(({ short }) => [short, sum(BATTING, short, 'Ann')])
  expect(Object.fromEntries(ann)).toEqual({ AB: 1, R: 2, H: 1, RBI: 1, BB: 1, SO: 0 })
  expect(sum(BATTING, 'AB', 'Di')).toBe(0)
  expect(sum(BATTING, 'RBI', null)).toBe(4)
})

it('charges runs to the pitcher who is responsible for the runner', () => {
  expect([sum(PITCHING, 'R', 'Old'), sum(PITCHING, 'R', 'New')]).toEqual([2, 2])
  expect([sum(PITCHING, 'IP', 'New'), sum(PITCHING, 'H', 'Old'), sum(PITCHING, 'SO', null)]).toEqual([3, 1, 1])
})

it('has no plays of the other side', () => {
  expect(playsOf(GAME, 1)).toEqual([])
})
