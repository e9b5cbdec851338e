import { describe, expect, it } from 'vitest'
import type { Athlete, Bases, GameRecord } from '@/data/games/model'
import { outcomeOf, problemOf, recordOf } from '@/features/games/scoring/compose'
import type { Draft, Kind } from '@/features/games/scoring/kinds'
import { draftOf, oddDraft } from '@/features/games/scoring/likely'
import { eventOf } from '@/features/games/scoring/notation'
import { standingOf, withQueued, type Standing } from '@/features/games/scoring/standing'

const EMPTY: Bases = [null, null, null]
const LOADED: Bases = ['one', 'two', 'three']

function athletes(): Map<string, Athlete> {
  const all = ([0, 1] as const).flatMap((side) =>
    Array.from({ length: 9 }, (_, index): Athlete => ({
      id: `${side === 0 ? 'v' : 'h'}${index + 1}`,
      side,
      jersey: String(index + 1),
      initial: 'A',
      full_name: null,
      user_id: null,
      order: index + 1,
      position: index === 8 ? 1 : index + 2,
    })),
  )
  return new Map(all.map((athlete) => [athlete.id, athlete]))
}

const GAME = { innings: 3, home_bats_first: false, athletes: athletes(), run_rule: null, extra_runner: null }

/** The state after these plays, each as it is proposed. */
function after(...kinds: Kind[]): Standing {
  const records: GameRecord[] = []
  for (const kind of kinds) {
    const now = standingOf(GAME, records)
    const draft = draftOf(kind, now.bases, now.outs)
    records.push({ id: String(records.length), record: recordOf(draft, now), outcome: outcomeOf(draft, now) })
  }
  return standingOf(GAME, records)
}

const event = (kind: Kind, bases: Bases, outs = 0, changes: Partial<Draft> = {}) =>
  eventOf({ ...draftOf(kind, bases, outs), ...changes }, outs)

describe('the notation of a play', () => {
  it('has the most likely advances', () => {
    expect(event('single', EMPTY, 0, { fielders: [7] })).toBe('S7')
    expect(event('single', LOADED, 0, { fielders: [8] })).toBe('S8.3-H;2-H;1-2')
    expect(event('double', ['one', null, null], 0, { fielders: [9] })).toBe('D9.1-3')
    expect(event('home_run', LOADED, 0, { fielders: [7] })).toBe('HR/F7')
    expect(event('walk', ['one', null, 'three'])).toBe('W.1-2')
    expect(event('walk', LOADED)).toBe('W.3-H;2-3;1-2')
    expect(event('error', ['one', null, null], 0, { fielders: [6] })).toBe('E6.1-2')
    expect(event('double_play', ['one', null, 'three'])).toBe('64(1)3/GDP/G.3-H')
    expect(event('force', ['one', 'two', null])).toBe('64(2)/FO/G.1-2')
    expect(event('dropped_third', EMPTY)).toBe('K+WP.B-1')
    expect(event('wild_pitch', ['one', null, 'three'])).toBe('WP.3-H;1-2')
    expect(event('caught', ['one', null, null])).toBe('CS2(26)')
    expect(event('picked_off', ['one', null, null])).toBe('PO1(13)')
    expect(event('interference', EMPTY)).toBe('C/E2')
  })

  it('says where the ball came down', () => {
    expect(event('single', EMPTY, 0, { fielders: [8], zone: '78' })).toBe('S8/L78')
    expect(event('single', EMPTY, 0, { fielders: [7], zone: '56' })).toBe('S7/G56')
    expect(event('home_run', EMPTY, 0, { fielders: [8], zone: '8XD' })).toBe('HR/F8XD')
    expect(event('ground', EMPTY, 0, { fielders: [6, 3], zone: '6S' })).toBe('63/G6S')
    expect(event('double_play', ['one', null, null], 0, { zone: '6' })).toBe('64(1)3/GDP/G6')
  })

  it('has the count and the pitches, if they were entered', () => {
    const now = after('walk')
    expect(recordOf(draftOf('single', now.bases, 0), now, 'BC')).toBe('play,1,0,v2,11,BCX,S.1-2')
    expect(recordOf(draftOf('single', now.bases, 0), now)).toBe('play,1,0,v2,??,,S.1-2')
  })

  it('says what the scorer changed', () => {
    expect(event('fly', [null, null, 'three'], 1, { fielders: [8], ends: { 0: 'out', 3: 4 } })).toBe('8/SF/F.3-H')
    expect(event('bunt', ['one', null, null], 0, { fielders: [1, 3] })).toBe('13/SH/BG.1-2')
    expect(event('single', ['one', null, null], 0, { fielders: [9], ends: { 0: 2, 1: 'out' }, putOutBy: [9, 5] })).toBe(
      'S9.1X2(95);B-2',
    )
    expect(event('double', EMPTY, 0, { fielders: [7], ends: { 0: 'out' }, putOutBy: [7, 5] })).toBe('D7.BX3(75)')
    expect(event('steal', ['one', 'two', null], 0, { ends: { 1: 2, 2: 3 } })).toBe('SB3;SB2')
    // A second runner advances on the same play, and a runner takes more than one base.
    expect(event('caught', ['one', null, 'three'], 0, { ends: { 1: 'out', 3: 4 } })).toBe('CS2(26).3-H')
    expect(event('picked_off', ['one', null, 'three'], 0, { ends: { 1: 'out', 3: 4 } })).toBe('PO1(13).3-H')
    expect(event('steal', ['one', null, null], 0, { ends: { 1: 3 } })).toBe('SB2.1-3')
  })

  it('says how runners moved on the last pitch of a strikeout or walk', () => {
    const on: Bases = ['one', null, null]
    expect(event('strikeout', on, 0, { ends: { 0: 'out', 1: 2 }, besides: 'SB' })).toBe('K+SB2')
    expect(event('strikeout_looking', on, 0, { ends: { 0: 'out', 1: 2 }, besides: 'PB' })).toBe('K+PB/C.1-2')
    expect(event('strikeout', on, 0, { ends: { 0: 'out', 1: 'out' }, putOutBy: [2, 6] })).toBe('K+CS2(26)/DP')
    expect(event('strikeout_thrown', EMPTY)).toBe('K23')
    expect(event('dropped_third', EMPTY, 0, { besides: 'PB' })).toBe('K+PB.B-1')
    expect(event('walk', [null, 'two', null], 0, { ends: { 0: 1, 2: 3 }, besides: 'WP' })).toBe('W+WP.2-3')
    const moved = { ...draftOf('strikeout', on, 0), ends: { 0: 'out', 1: 2 } } as const
    expect(problemOf(moved, { outs: 0 })).toBe('Choose how the runner moved.')
    expect(problemOf(draftOf('walk', ['one', null, 'three'], 0), { outs: 0 })).toBeNull()
  })

  it('is not saved while something is missing', () => {
    const now = after('walk')
    const draft = (kind: Kind, changes: Partial<Draft> = {}) =>
      problemOf({ ...draftOf(kind, now.bases, now.outs), ...changes }, now)
    expect(draft('ground')).toBe('Tap who fielded the ball.')
    expect(draft('single', { ends: { 0: 1, 1: 1 } })).toBe('Two runners are on one base.')
    expect(draft('single', { ends: { 0: 1, 1: 'out' } })).toBe('Tap who put the runner out.')
    expect(draft('steal', { ends: { 1: 1 } })).toBe('Choose the runner who moves.')
    expect(draft('steal', { ends: { 1: 'out' } })).toBe('Choose “Caught stealing” for a runner who is out.')
    expect(draft('double_play')).toBeNull()
    expect(problemOf({ ...draftOf('double_play', now.bases, 2) }, { outs: 2 })).toBe('There would be 4 outs.')
  })
})

describe('an odd play', () => {
  const FIRST: Bases = ['one', null, null]
  const TWO: Bases = ['one', 'two', null]

  it('has its own notation', () => {
    const cases: [Kind, Bases, number, Partial<Draft>, string][] = [
      ['throwing_error', EMPTY, 0, { fielders: [6] }, 'E6/TH'],
      ['dropped_throw', EMPTY, 0, {}, '6E3/G'],
      ['strikeout_error', EMPTY, 0, {}, 'K+E2.B-1'],
      ['strikeout_error', EMPTY, 0, { fielders: [2, 3] }, 'K2E3.B-1'],
      ['foul_error', FIRST, 0, { fielders: [5], zone: '5F' }, 'FLE5/F5F'],
      ['caught_error', FIRST, 0, {}, 'CS2(2E6)'],
      ['caught_error', FIRST, 0, { ends: { 1: 3 } }, 'CS2(2E6).1-3'],
      ['pickoff_error', FIRST, 0, {}, 'PO1(E1/TH).1-2'],
      ['pickoff_error', FIRST, 0, { fielders: [3] }, 'PO1(E3).1-2'],
      ['pickoff_error', FIRST, 0, { fielders: [1, 3] }, 'PO1(1E3).1-2'],
      ['picked_off_stealing', FIRST, 0, {}, 'POCS2(136)'],
      ['batter_interference', FIRST, 0, {}, '2/BINT'],
      ['runner_interference', FIRST, 0, { fielders: [4] }, 'FC4/RINT.1X2(4)'],
      ['runner_hit', FIRST, 0, { fielders: [4] }, 'S4/RINT.1X2(4)'],
      ['fan_out', EMPTY, 0, { fielders: [7] }, '7/FINT/F'],
      ['fan_double', EMPTY, 0, { fielders: [9] }, 'D9/FINT'],
      ['obstruction_batter', EMPTY, 0, {}, 'E3/OBS'],
      ['obstruction_runner', FIRST, 0, { fielders: [4] }, 'OA/OBS.1-2(E4)'],
      ['infield_fly', TWO, 1, { fielders: [4], zone: '4' }, '4/IF/P4'],
      ['appeal', FIRST, 1, { fielders: [8, 3] }, 'OA/AP.1X1(83)'],
      ['appeal_fly', FIRST, 0, { fielders: [8], putOutBy: [8, 3] }, '8/FDP/AP/F.1X1(83)'],
      ['appeal_fly', FIRST, 2, { fielders: [8], putOutBy: [8, 3] }, '8/AP/F.1X1(83)'],
      ['line_double', FIRST, 0, { fielders: [6, 3] }, '6(B)3(1)/LDP/L'],
      ['line_double', FIRST, 0, { fielders: [3], zone: '3' }, '3(B)3(1)/LDP/L3'],
      ['fly_double', [null, null, 'three'], 0, { fielders: [8, 2] }, '8(B)2(3)/FDP/F'],
      ['fly_double', [null, null, 'three'], 0, { fielders: [7, 6, 2] }, '7(B)62(3)/FDP/F'],
      ['triple_play', TWO, 0, {}, '5(2)4(1)3/GTP/G'],
      ['triple_play', TWO, 0, { fielders: [1, 6, 4, 3] }, '16(2)4(1)3/GTP/G'],
      ['line_triple', TWO, 0, { fielders: [6, 4] }, '6(B)4(2)4(1)/LTP/L'],
      ['sacrifice_fly_error', [null, null, 'three'], 1, { fielders: [8] }, 'E8/SF/F.3-H'],
      ['sacrifice_hit_error', FIRST, 0, { fielders: [5] }, 'E5/SH/BG.1-2'],
      ['sacrifice_choice', FIRST, 0, { fielders: [1] }, 'FC1/SH/BG.1-2'],
      ['other_advance', FIRST, 0, {}, 'OA.1-2'],
      ['other_advance', FIRST, 0, { ends: { 1: 'out' }, putOutBy: [2, 6] }, 'OA.1X2(26)'],
      ['out_of_turn', EMPTY, 0, {}, '2/BOOT'],
    ]
    for (const [kind, bases, outs, changes, notation] of cases) {
      const draft = { ...draftOf(kind, bases, outs), ...changes }
      expect(eventOf(draft, outs), kind).toBe(notation)
      expect(problemOf(draft, { outs }), notation).toBeNull()
    }
  })

  it('adds a wild throw to a hit, an out or a steal', () => {
    const now = { bases: FIRST, outs: 0, toWin: null }
    const hit = oddDraft({ kind: 'single', wild: true }, now)
    expect(problemOf(hit, now)).toBe('Tap who threw the ball away.')
    expect(eventOf({ ...hit, fielders: [8], wild: { by: 8, runner: 1 } }, 0)).toBe('S8.1-3(E8/TH)')
    const alone = oddDraft({ kind: 'single', wild: true }, { ...now, bases: EMPTY })
    expect(eventOf({ ...alone, fielders: [7], wild: { by: 7, runner: 0 } }, 0)).toBe('S7.B-2(E7/TH)')
    const out = oddDraft({ kind: 'ground', wild: true }, now)
    expect(eventOf({ ...out, fielders: [6, 3], wild: { by: 3, runner: 1 } }, 0)).toBe('63/G.1-3(E3/TH)')
    const steal = { ...draftOf('steal', FIRST, 0), wild: { by: 2, runner: 1 } } as const
    expect(problemOf(steal, now)).toBe('Choose the base that the runner reached on the wild throw.')
    expect(eventOf({ ...steal, ends: { 1: 3 } }, 0)).toBe('SB2.1-3(E2/TH)')
  })

  it('may have a fourth out on appeal, which is recorded and not counted', () => {
    const now = after('triple', 'single', 'strikeout', 'strikeout')
    const hit = oddDraft({ kind: 'single', appeal: true }, { bases: LOADED, outs: 2, toWin: null })
    const draft: Draft = { ...hit, fielders: [8], ends: { 0: 1, 1: 'out', 3: 'out' }, putOutBy: [8, 5] }
    expect(eventOf(draft, 2)).toBe('S8/AP.3XH(85);1X2(85)')
    expect(problemOf(draft, { outs: 2 })).toBeNull()
    expect(problemOf({ ...draft, appeal: false }, { outs: 2 })).toBe('There would be 4 outs.')
    expect(outcomeOf(draft, now).outs).toBe(1)
  })

  it('says what its runners lack', () => {
    const problem = (kind: Kind, bases: Bases, changes: Partial<Draft>) =>
      problemOf({ ...draftOf(kind, bases, 0), fielders: [6, 4], ...changes }, { outs: 0 })
    expect(problem('triple_play', TWO, { ends: { 0: 'out', 1: 'out', 2: 2 } })).toMatch(/two runners/)
    expect(problem('line_double', FIRST, { ends: { 0: 'out', 1: 1 } })).toMatch(/one runner/)
    expect(problem('caught_error', FIRST, { ends: { 1: 'out' } })).toBe('The runner is safe on this play.')
    expect(problem('appeal', FIRST, { ends: { 1: 1 } })).toBe('Choose the one runner who is out.')
    expect(problem('foul_error', FIRST, { ends: { 1: 2 } })).toBe('Nobody moves on a dropped foul fly.')
  })

  it('does not end the turn at bat if a foul fly is dropped, which is a strike', () => {
    const now = after('walk')
    const draft = { ...draftOf('foul_error', now.bases, 0), fielders: [3] }
    expect(recordOf(draft, now, 'B')).toBe('play,1,0,v2,10,BF,FLE3')
    expect(outcomeOf(draft, now)).toMatchObject({ turn: null, outs: 0, bases: ['v1', null, null] })
  })

  it('lets another place of the order bat', () => {
    const now = standingOf(GAME, [{ id: '1', record: 'ladj,0,4', outcome: null }])
    expect(now.batter).toBe('v4')
  })
})

describe('no run too many', () => {
  it('is proposed on a hit that wins the game', () => {
    const won = (kind: Kind, bases: Bases, toWin: number | null) => eventOf(draftOf(kind, bases, 0, toWin), 0)
    expect(won('single', LOADED, 1)).toBe('S.3-H;2-3;1-2')
    expect(won('single', LOADED, 2)).toBe('S.3-H;2-H;1-2')
    // The hit counts for as many bases as the runner with the winning run advances.
    expect(won('double', LOADED, 1)).toBe('S.3-H;2-3;1-2')
    expect(won('triple', ['one', 'two', null], 1)).toBe('D.2-H;1-3')
    expect(won('fan_double', ['one', 'two', null], 1)).toBe('D/FINT.2-H;1-3')
    expect(won('double', ['one', null, null], 1)).toBe('D.1-3')
    expect(won('single', LOADED, 3)).toBe('S.3-H;2-H;1-2')
    expect(won('home_run', LOADED, 1)).toBe('HR')
    expect(draftOf('home_run', LOADED, 0, 1).ends).toEqual({ 0: 4, 1: 4, 2: 4, 3: 4 })
    expect(won('double', LOADED, null)).toBe('D.3-H;2-H;1-3')
  })

  it('counts the runs to win for the side that bats last, in the last inning or under the run rule', () => {
    const three: Kind[] = ['strikeout', 'strikeout', 'strikeout']
    expect(after('home_run', ...three).toWin).toBeNull()
    const last: Kind[] = ['home_run', ...three, ...three, ...three, ...three, ...three]
    expect(after(...last)).toMatchObject({ inning: 3, batting: 1, toWin: 2 })
    expect(after(...last, 'walk', 'walk', 'home_run')).toMatchObject({ decided: true, toWin: null })
    expect(standingOf({ ...GAME, run_rule: '4/1' }, []).toWin).toBeNull()
    const bottom = { id: '1', record: 'com,endhalf', outcome: null }
    expect(standingOf({ ...GAME, run_rule: '4/1' }, [bottom])).toMatchObject({ batting: 1, toWin: 4 })
  })

  it('is proposed or saved on a third out by force, or by the batter before first base', () => {
    for (const kind of ['bunt', 'ground', 'fly', 'force', 'strikeout', 'batter_interference'] as const)
      expect(Object.values(draftOf(kind, LOADED, 2).ends), kind).not.toContain(4)
    expect(Object.values(draftOf('double_play', LOADED, 1).ends)).not.toContain(4)
    const ends = { 0: 'out', 3: 4 } as const
    const fly = { ...draftOf('fly', [null, null, 'three'], 2), fielders: [8], ends }
    expect(problemOf(fly, { outs: 2 })).toMatch(/^No run counts/)
    expect(problemOf(fly, { outs: 1 })).toBeNull()
  })
})

describe('the state of a game', () => {
  it('follows the order, the bases and the score', () => {
    const now = after('walk', 'single', 'home_run')
    expect(now).toMatchObject({ score: [3, 0], bases: EMPTY, batter: 'v4', pitcher: 'h9', inning: 1, batting: 0 })
    expect(after('single', 'steal')).toMatchObject({ bases: [null, 'v1', null], batter: 'v2' })
  })

  it('turns the side after three outs, and ends with the last inning', () => {
    const three: Kind[] = ['strikeout', 'strikeout', 'strikeout']
    expect(after(...three)).toMatchObject({ inning: 1, batting: 1, outs: 0, batter: 'h1', sideRetired: true })
    expect(after(...three, ...three)).toMatchObject({ inning: 2, batting: 0, batter: 'v4' })
    const five = [three, three, three, three, three].flat()
    expect(after('home_run', ...five).decided).toBe(false)
    expect(after('home_run', ...five, ...three)).toMatchObject({ decided: true, score: [1, 0] })
    expect(after(...five, 'home_run')).toMatchObject({ decided: true, score: [0, 1] })
    expect(after(...five, ...three)).toMatchObject({ decided: false, inning: 4 })
  })

  it('follows substitutions, for runners as well', () => {
    const walked = after('walk')
    const records: GameRecord[] = [
      { id: '1', record: 'play', outcome: outcomeOf(draftOf('walk', EMPTY, 0), standingOf(GAME, [])) },
      { id: '2', record: 'sub,v10,"",0,1,12', outcome: null },
      { id: '3', record: 'sub,h10,"",1,9,1', outcome: null },
    ]
    expect(walked.bases[0]).toBe('v1')
    expect(standingOf(GAME, records)).toMatchObject({ bases: ['v10', null, null], pitcher: 'h10' })
  })

  it('counts what is queued, and not what a queued row removes', () => {
    const saved: GameRecord[] = [{ id: 'a', record: 'play,1', outcome: null }]
    const row = { id: 'b', record: 'play,2', outcome: null }
    expect(withQueued(saved, [row]).map(({ id }) => id)).toEqual(['a', 'b'])
    expect(withQueued(saved, [row, { id: 'c', replaces: 'b', outcome: null }]).map(({ id }) => id)).toEqual(['a'])
    expect(withQueued([...saved, row], [{ ...row, id: 'c', replaces: 'a' }]).map(({ id }) => id)).toEqual(['c', 'b'])
    expect(withQueued(saved, [{ ...row, id: 'a' }]).map(({ id }) => id)).toEqual(['a'])
  })
})
