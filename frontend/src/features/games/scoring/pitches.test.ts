import { expect, it } from 'vitest'
import type { Athlete, GameRecord, Outcome } from '@/data/games/model'
import {
  carriedPitches,
  countOf,
  endedBy,
  interruption,
  isKept,
  noPlay,
  pitchCount,
  pitchesWithout,
  pitchFields,
} from '@/features/games/scoring/pitches'
import { END_OF_HALF, type Standing } from '@/features/games/scoring/standing'

const NOBODY = new Map<string, Athlete>()
const BATTER = { inning: 1, batting: 0, batter: 'v1' } as Standing

it('counts balls and strikes', () => {
  expect(countOf('BCFFB')).toEqual({ balls: 2, strikes: 2 })
  expect(endedBy('CSF')).toBeNull()
  expect(endedBy('CSFS')).toBe('strikeout')
  expect(endedBy('SSC')).toBe('strikeout_looking')
  expect(endedBy('BBCBB')).toBe('walk')
})

it('writes the count before the last pitch', () => {
  expect(pitchFields('BC', 'single')).toEqual({ count: '11', pitches: 'BCX' })
  expect(pitchFields('CSFS', 'strikeout')).toEqual({ count: '02', pitches: 'CSFS' })
  expect(pitchFields('BBCBB', 'walk')).toEqual({ count: '31', pitches: 'BBCBB' })
  expect(pitchFields('CS', 'strikeout')).toEqual({ count: '02', pitches: 'CSS' })
  expect(pitchFields('BB', 'steal')).toEqual({ count: '20', pitches: 'BB' })
  expect(pitchFields('B', 'intentional_walk')).toEqual({ count: '10', pitches: 'BI' })
})

it('says nothing rather than something wrong', () => {
  expect(pitchFields('', 'single')).toEqual({ count: '??', pitches: '' })
  expect(pitchFields('C', 'strikeout')).toEqual({ count: '??', pitches: '' })
  expect(pitchFields('BB', 'walk')).toEqual({ count: '??', pitches: '' })
})

it('goes on after a steal, and counts each pitch once', () => {
  const outcome = { outsBefore: 0, outs: 0, turn: null, pitcher: 'p' } as unknown as Outcome
  const steal: GameRecord = { id: '1', record: 'play,1,0,v1,20,BB,SB2', outcome }
  expect(carriedPitches([steal])).toBe('BB.')
  expect(carriedPitches([{ ...steal, outcome: { ...outcome, outsBefore: 2, outs: 1 } }])).toBe('')
  const turn = { ...outcome, turn: { result: 'single' } } as unknown as Outcome
  const single: GameRecord = { id: '2', record: 'play,1,0,v1,20,BB.X,S7', outcome: turn }
  expect(carriedPitches([single])).toBe('')
  expect(pitchCount(NOBODY, [steal, single], 'p', 'C')).toBe(4)
})

it('splits a plate appearance between the pitcher who leaves and the one who enters', () => {
  const athletes = new Map([['a', { side: 1 as const, position: 1 }]])
  const thrown = { id: '1', record: noPlay(BATTER, 'BBF'), outcome: null }
  expect(thrown.record).toBe('play,1,0,v1,21,BBF,NP')
  expect(carriedPitches([thrown])).toBe('BBF.')
  expect(interruption([thrown])).toBe(thrown)
  expect(pitchCount(athletes, [thrown], 'a', 'BBF.')).toBe(3)

  const sub = { id: '2', record: 'sub,b,"",1,9,1', outcome: null }
  expect(carriedPitches([thrown, sub])).toBe('BBF.')
  expect(pitchCount(athletes, [thrown, sub], 'b', 'BBF.C')).toBe(1)

  const outcome = { outsBefore: 0, outs: 1, turn: { result: 'strikeout' }, pitcher: 'b' } as unknown as Outcome
  const out = { id: '3', record: 'play,1,0,v1,22,BBF.CS,K', outcome }
  const all = [thrown, sub, out]
  expect([pitchCount(athletes, all, 'a', ''), pitchCount(athletes, all, 'b', 'B')]).toEqual([3, 3])
  expect(interruption(all)).toBeNull()

  // Archives write such a record before every substitution.
  const none = { id: '4', record: 'play,2,0,v2,00,,NP', outcome: null }
  expect([carriedPitches([...all, none]), interruption([...all, none])]).toEqual(['', null])
})

it('gives the pitches back when a record is taken out', () => {
  const thrown = { id: '1', record: noPlay(BATTER, 'BB'), outcome: null }
  const sub = { id: '2', record: 'sub,b,"",1,9,1', outcome: null }
  const end = { id: '3', record: END_OF_HALF, outcome: null }
  expect(pitchesWithout([thrown, sub], thrown, 'BB.C')).toBe('BBC')
  expect(pitchesWithout([thrown, sub], sub, 'BB.C')).toBeNull()
  expect(pitchesWithout([thrown, sub, end], end, '')).toBe('BB.')
  // Without it the later pitches would be another pitcher's.
  expect([isKept([thrown, sub], thrown), isKept([thrown, sub, end], thrown)]).toEqual([false, true])
})

it('counts from zero when a half-inning ends during a plate appearance', () => {
  const athletes = new Map([['a', { side: 1 as const, position: 1 }]])
  const thrown = { id: '1', record: noPlay(BATTER, 'BB'), outcome: null }
  const end = { id: '2', record: END_OF_HALF, outcome: null }
  expect(pitchCount(athletes, [thrown, end], 'a', 'BBB')).toBe(5)
})
