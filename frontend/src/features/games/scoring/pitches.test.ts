import { expect, it } from 'vitest'
import type { GameRecord, Outcome } from '@/data/games/model'
import { carriedPitches, countOf, endedBy, pitchCount, pitchFields } from '@/features/games/scoring/pitches'

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
  expect(pitchCount([steal, single], 'p', 'C')).toBe(4)
})
