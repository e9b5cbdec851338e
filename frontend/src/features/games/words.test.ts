import { describe, expect, it } from 'vitest'
import type { Move, Outcome } from '@/data/games/model'
import { words } from '@/features/games/words'

const move = (athlete: string, from: number, to: number | null, outAt: number | null = null): Move => ({
  athlete,
  from,
  to,
  outAt,
  rbi: false,
  onError: false,
})

function play(event: string, result: string | null, given: Partial<Outcome> & { flags?: object } = {}) {
  const { flags, ...rest } = given
  const turn = result && { result, sacrificeHit: false, sacrificeFly: false, doublePlay: false, ...flags }
  const outcome: Outcome = {
    inning: 1,
    batting: 0,
    batter: 'Lee',
    pitcher: 'Reyes',
    turn: turn || null,
    outsBefore: 0,
    outs: 0,
    multiplePlay: false,
    bases: [null, null, null],
    score: [0, 0],
    runs: 0,
    moves: [],
    ...rest,
  }
  const { title, detail } = words({ record: `play,1,0,lee,??,,${event}`, outcome }, (id) => id)
  return [title, detail].filter(Boolean).join('. ')
}

describe('a play in words', () => {
  it('says hits with the runners', () => {
    const moves = [move('Bell', 3, 4), move('Osei', 1, 2), move('Lee', 0, 1)]
    expect(play('S7/G56.3-H;1-2', 'single', { moves })).toBe('Single to left. Bell scores, Osei to second')
    expect(play('D9', 'double', { moves: [move('Lee', 0, 3)] })).toBe('Double to right. Lee to third')
    expect(play('HR/F8', 'home_run', { moves: [move('Lee', 0, 4)] })).toBe('Home run to center')
    expect(play('DGR/F7', 'double')).toBe('Ground-rule double')
  })

  it('says outs', () => {
    expect(play('63/G', 'out')).toBe('Ground out, 6-3')
    expect(play('3/G', 'out')).toBe('Ground out to first, unassisted')
    expect(play('8/F', 'out')).toBe('Fly out to center')
    expect(play('8', 'out')).toBe('Fly out to center')
    expect(play('4/L', 'out')).toBe('Line out to second')
    expect(
      play('8/SF/F.3-H', 'out', { flags: { sacrificeFly: true }, moves: [move('Bell', 3, 4), move('Lee', 0, null)] }),
    ).toBe('Sacrifice fly to center. Bell scores')
    expect(play('64(1)3/GDP/G', 'out', { multiplePlay: true, outs: 2 })).toBe('6-4-3 double play')
    expect(play('54(1)/FO/G', 'out', { moves: [move('Bell', 1, null, 2), move('Lee', 0, 1)] })).toBe(
      'Force out, 5-4. Bell out at second',
    )
    expect(play('K', 'strikeout')).toBe('Strikeout')
    expect(play('K/C', 'strikeout')).toBe('Strikeout looking')
    expect(play('K+WP.B-1', 'strikeout', { moves: [move('Lee', 0, 1)] })).toBe('Strikeout, wild pitch')
  })

  it('says what runners did alone', () => {
    expect(play('SB2', null, { moves: [move('Osei', 1, 2)] })).toBe('Osei steals second')
    expect(play('CS2(26)', null, { moves: [move('Osei', 1, null, 2)] })).toBe('Osei caught stealing')
    expect(play('WP.3-H', null, { moves: [move('Bell', 3, 4)] })).toBe('Wild pitch. Bell scores')
  })

  it('says substitutions', () => {
    expect(words({ record: 'sub,Ortiz,"",0,9,1', outcome: null }, (id) => id)).toEqual({
      title: 'Ortiz in: pitcher',
      detail: 'Bats in place 9',
    })
  })
})
