import { describe, expect, it } from 'vitest'
import type { GameArm } from '@/data/games/arms'
import type { GameRecord, Outcome } from '@/data/games/model'
import type { PitchOverride } from '@/data/games/overrides'
import { pitcherOf } from '@/features/games/scoring/pitch-check'
import { countWords, noteOf, warningOf, type Pitcher } from '@/features/games/scoring/pitch-limits'
import { interruption } from '@/features/games/scoring/pitches'

const ARM: GameArm = {
  athlete_id: 'kid',
  day_limit: 85,
  youngest: 11,
  oldest: 12,
  thrown_today: 0,
  ready_on: null,
  rested_pitches: null,
  uncounted: false,
}
const DAY = '2026-11-23'
const pitcher = (thrown: number, arm: Partial<GameArm> | null = {}, overrides: PitchOverride[] = []): Pitcher => ({
  name: 'Kit Osei',
  thrown,
  arm: arm && { ...ARM, ...arm },
  day: DAY,
  overrides,
})
const override = (rule: PitchOverride['rule'], athlete = 'kid'): PitchOverride => ({
  id: '1',
  athlete,
  rule,
  reason: 'Nobody else',
  sent: false,
})

describe('the limit of the day', () => {
  it('counts the pitches of the day', () => {
    expect(countWords(pitcher(62))).toBe('62 of 85 pitches')
    expect(countWords(pitcher(32, { thrown_today: 30 }))).toBe('62 of 85 pitches, 30 of them in other games')
    expect(countWords(pitcher(0))).toBe('')
  })

  it('shows how many pitches are left from ten below the limit on', () => {
    expect(noteOf(pitcher(74))).toBe('')
    expect(noteOf(pitcher(75))).toBe('10 pitches left today')
    expect(noteOf(pitcher(44, { thrown_today: 40 }))).toBe('1 pitch left today')
    expect(noteOf(pitcher(85))).toBe('Last batter: the limit is reached')
    expect(noteOf(pitcher(85, {}, [override('day_limit')]))).toBe('Over the limit, with a reason')
  })

  it('stops the pitcher before the next batter, not within a plate appearance', () => {
    const text = 'Kit Osei has reached 85 pitches, the limit for 11–12-year-olds on a day.'
    expect(warningOf(pitcher(84), true)).toBeNull()
    expect(warningOf(pitcher(85), false)).toBeNull()
    expect(warningOf(pitcher(85), true)).toEqual({ athlete: 'kid', rule: 'day_limit', text })
    expect(warningOf(pitcher(25, { thrown_today: 60 }), true)?.rule).toBe('day_limit')
  })

  it('asks once for each pitcher', () => {
    expect(warningOf(pitcher(90, {}, [override('day_limit')]), true)).toBeNull()
    expect(warningOf(pitcher(90, {}, [override('day_limit', 'ann')]), true)).not.toBeNull()
    expect(warningOf(pitcher(90, {}, [override('rest')]), true)).not.toBeNull()
  })

  it('names the ages that share the limit', () => {
    const textOf = (arm: Partial<GameArm>) => warningOf(pitcher(200, arm), true)?.text
    expect(textOf({ day_limit: 50, youngest: null, oldest: 8 })).toContain(
      '50 pitches, the limit for players up to 8 on',
    )
    expect(textOf({ day_limit: 120, youngest: 19, oldest: null })).toContain(
      'the limit for players of 19 and older on a day',
    )
  })

  it('has no daily limit for pitchers of unknown age, but their rest, and nothing for opponents', () => {
    const unknown = { day_limit: null, youngest: null, oldest: null, ready_on: '2026-11-30', rested_pitches: 90 }
    expect(warningOf(pitcher(200, unknown), true)).toBeNull()
    expect(warningOf(pitcher(0, unknown), true)?.text).toMatch(
      /after 90 pitches\. The age is unknown, so the rule for the/,
    )
    expect(warningOf(pitcher(0, unknown, [override('rest')]), true)).toBeNull()
    expect(warningOf(pitcher(0, { ...unknown, ready_on: DAY }), true)).toBeNull()
    expect(warningOf(pitcher(200, null), true)).toBeNull()
    expect(noteOf(pitcher(200, unknown))).toBe('')
    expect(countWords(pitcher(62, null))).toBe('62 pitches entered')
  })
})

describe('rest', () => {
  const tired = { ready_on: '2026-11-24', rested_pitches: 66 }

  it('stops a pitcher who enters before the rest is over', () => {
    expect(warningOf(pitcher(0, tired), true)).toEqual({
      athlete: 'kid',
      rule: 'rest',
      text: 'Kit Osei rests until Tuesday, November 24 after 66 pitches.',
    })
    expect(warningOf(pitcher(0, tired), false)?.rule).toBe('rest')
    expect(warningOf(pitcher(0, { ...tired, ready_on: DAY }), true)).toBeNull()
  })

  it('stops the pitcher until the first pitch or a reason; the daily limit holds afterwards', () => {
    expect(warningOf(pitcher(1, tired), true)).toBeNull()
    expect(warningOf(pitcher(0, tired, [override('rest')]), true)).toBeNull()
    expect(warningOf(pitcher(0, { ...tired, thrown_today: 85 }, [override('rest')]), true)?.rule).toBe('day_limit')
  })

  it('notes an outing without a pitch count', () => {
    expect(noteOf(pitcher(0, { uncounted: true }))).toBe('Some outings of the last week have no pitch count')
    expect(noteOf(pitcher(3, { uncounted: true }))).toBe('')
  })
})

it('counts a pitcher’s own pitches; a steal does not end the plate appearance', () => {
  const outcome = { outsBefore: 0, outs: 0, turn: null, pitcher: 'kid' } as unknown as Outcome
  const steal: GameRecord = { id: '1', record: 'play,1,0,v1,20,BB,SB2', outcome }
  const walk = {
    id: '2',
    record: 'play,1,0,v1,20,BB.BB,W',
    outcome: { ...outcome, turn: { result: 'walk' } },
  } as GameRecord
  const known = { arms: [ARM], overrides: [] }
  const found = pitcherOf(
    { played_on: DAY, athletes: new Map() },
    known,
    [steal, walk],
    { id: 'kid', name: 'Kit Osei' },
    'C',
  )
  expect(found).toMatchObject({ thrown: 5, arm: ARM, day: DAY })
  expect(pitcherOf({ played_on: DAY, athletes: new Map() }, known, [], { id: 'ann', name: 'Ann' }).arm).toBeNull()
  expect(interruption([steal])).toBe(steal)
  expect(interruption([steal, walk])).toBeNull()
  expect(interruption([{ ...steal, outcome: { ...outcome, outsBefore: 2, outs: 1 } }])).toBeNull()
})
