import { describe, expect, it } from 'vitest'
import type { Athlete, Bases, GameRecord } from '@/data/games/model'
import {
  draftOf,
  eventOf,
  outcomeOf,
  problemOf,
  recordOf,
  type Draft,
  type Kind,
} from '@/features/games/scoring/compose'
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
