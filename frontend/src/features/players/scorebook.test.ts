import { expect, test } from 'vitest'
import { battingRow, battingWords, pitchingRow, pitchingWords, resultOf } from '@/features/players/scorebook'

const SEASON = { season: 2026, name: '', team_id: 't', team: 'Owls', vetted: true, g: 20 }
const BATTING = {
  ...SEASON,
  pa: 50,
  ab: 40,
  r: 9,
  h: 12,
  doubles: 3,
  triples: 1,
  hr: 2,
  rbi: 8,
  bb: 6,
  so: 7,
  hbp: 2,
  sf: 2,
  sb: 1,
  cs: 0,
}
const PITCHING = { ...SEASON, gs: 3, w: 2, l: 0, sv: 0, outs: 54, bfp: 70, h: 12, r: 7, er: 6, hr: 1, bb: 6, so: 20 }

test('rates of a scorebook season are those of its counts; without at-bats or outs they are unknown', () => {
  const { avg, obp, slg, ops } = battingRow(BATTING)
  expect([avg, obp, slg, ops]).toEqual([0.3, 0.4, 23 / 40, 0.4 + 23 / 40])
  expect(battingRow({ ...BATTING, ab: 0, h: 0, doubles: 0, triples: 0, hr: 0 }).ops).toBeNull()
  expect(pitchingRow(PITCHING)).toMatchObject({ era: 3, whip: 1 })
  expect(pitchingRow({ ...PITCHING, outs: 0 }).era).toBeNull()
  expect(battingRow({ ...BATTING, name: 'Fall' }).team_name).toBe('Owls, Fall')
})

test('a game of the log in words', () => {
  expect(resultOf({ runs: 6, allowed: 4 })).toBe('W 6–4')
  expect(resultOf({ runs: 2, allowed: 3 })).toBe('L 2–3')
  expect(resultOf({ runs: 2, allowed: 2 })).toBe('T 2–2')
  const none = { pa: 4, ab: 4, r: 0, h: 0, doubles: 0, triples: 0, hr: 0, rbi: 0, bb: 0, so: 0, sb: 0 }
  expect(battingWords(none)).toBe('0-4')
  expect(battingWords({ ...none, ab: 3, h: 2, hr: 1, rbi: 3, bb: 1 })).toBe('2-3, HR, 3 RBI, BB')
  const line = { outs: 16, h: 4, r: 2, er: 1, bb: 1, so: 7, w: 1, l: 0, sv: 0, pitches: 68 }
  expect(pitchingWords(line)).toBe('5.1 IP, 1 ER, 7 SO, BB, 68 pitches, won')
  expect(pitchingWords({ ...line, w: 0, so: 0, bb: 0, pitches: null })).toBe('5.1 IP, 1 ER')
})
