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

  it('says odd plays', () => {
    const hit = [move('Bell', 1, 3), move('Lee', 0, 1)]
    expect(play('S8.1-3(E8/TH)', 'single', { moves: hit })).toBe(
      'Single to center, throwing error by center. Bell to third',
    )
    expect(play('E6/TH', 'error')).toBe('Throwing error by short')
    expect(play('6E3/G', 'error')).toBe('Error by first')
    expect(play('E3/OBS', 'error')).toBe('Obstruction by first')
    expect(play('E8/SF/F.3-H', 'error', { moves: [move('Bell', 3, 4)] })).toBe(
      'Sacrifice fly, error by center. Bell scores',
    )
    expect(play('E5/SH/BG.1-2', 'error')).toBe('Sacrifice bunt, error by third')
    expect(play('FC1/SH/BG.1-2', 'fielders_choice')).toBe('Sacrifice bunt, all safe')
    expect(play('K+E2.B-1', 'strikeout')).toBe('Strikeout, error by the catcher')
    expect(play('K2E3.B-1', 'strikeout')).toBe('Strikeout, error by first')
    expect(play('2/BINT', 'out')).toBe('Out on batter’s interference')
    expect(play('2/BOOT', 'out')).toBe('Out for batting out of turn')
    expect(play('FC4/RINT.1X2(4)', 'fielders_choice', { moves: [move('Bell', 1, null, 2)] })).toBe(
      'Out on runner’s interference. Bell out at second',
    )
    expect(play('S4/RINT', 'single')).toBe('Single, the ball hits a runner')
    expect(play('D9/FINT', 'double')).toBe('Double on fan’s interference')
    expect(play('7/FINT/F', 'out')).toBe('Out on fan’s interference')
    expect(play('4/IF/P4', 'out')).toBe('Infield fly to second')
    expect(play('8/FDP/AP/F.1X1(83)', 'out', { multiplePlay: true })).toBe('Fly out to center, runner out on appeal')
    expect(play('6(B)3(1)/LDP/L', 'out', { multiplePlay: true, outs: 2 })).toBe('Line drive, 6-3 double play')
    expect(play('5(2)4(1)3/GTP/G', 'out', { multiplePlay: true, outs: 3 })).toBe('5-4-3 triple play')
    expect(play('FLE5/F5F', null)).toBe('Foul fly dropped by third')
    expect(play('CS2(2E6)', null, { moves: [move('Osei', 1, 2)] })).toBe('Osei safe on an error')
    expect(play('PO1(E1/TH).1-2', null, { moves: [move('Osei', 1, 2)] })).toBe('Pickoff error, Osei to second')
    expect(play('OA/OBS.1-2(E4)', null, { moves: [move('Osei', 1, 2)] })).toBe('Obstruction, Osei to second')
    expect(play('OA/AP.1X1(83)', null, { moves: [move('Osei', 1, null, 1)], outs: 1 })).toBe('Osei out on appeal')
    expect(words({ record: 'ladj,0,4', outcome: null }, (id) => id).title).toBe('Out of turn: place 4 bats')
  })

  it('says substitutions', () => {
    expect(words({ record: 'sub,Ortiz,"",0,9,1', outcome: null }, (id) => id)).toEqual({
      title: 'Ortiz in: pitcher',
      detail: 'Bats in place 9',
    })
  })
})
