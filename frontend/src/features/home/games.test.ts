import { expect, test } from 'vitest'
import type { HomeGame, NumberChange } from '@/data/home/games'
import { changeWords, isBetter, isOverLimit, nextOf, percentileOf, readyWords, whenWords } from '@/features/home/games'

const GAME: HomeGame = {
  id: 'g',
  visitor_name: 'Gulls',
  home_name: 'Owls',
  visitor_runs: 0,
  home_runs: 0,
  inning: 1,
  innings: 7,
  batting: 0,
  home_bats_first: false,
  outs: 0,
  played_on: '2026-05-10',
  starts_at: null,
  place: null,
  status: 'scheduled',
  bases: [false, false, false],
  own: true,
  followed: [],
}
const NOW = new Date('2026-05-10T12:00:00Z')

test('the next game is one’s own, and not over', () => {
  const others = { ...GAME, id: 'o', own: false }
  const over = { ...GAME, id: 'f', status: 'final' }
  const unscored = { ...GAME, id: 'u', played_on: '2026-05-09' }
  expect(nextOf([others, over, unscored, GAME], NOW)?.id).toBe('g')
  expect(nextOf([others, over, unscored], NOW)).toBeUndefined()
  expect(nextOf([{ ...unscored, status: 'live' }, GAME], NOW)?.id).toBe('u')
})

test('when a game is', () => {
  expect(whenWords(GAME, NOW)).toBe('Today')
  expect(whenWords({ ...GAME, played_on: '2026-05-12' }, NOW)).toBe('May 12')
  expect(whenWords({ ...GAME, starts_at: '2026-05-10T18:00:00Z' }, NOW)).toMatch(/^Today, \d+:00 [AP]M$/)
  expect(whenWords({ ...GAME, status: 'live', inning: 5 }, NOW)).toBe('Top 5')
})

const CHANGE: NumberChange = {
  id: 'c',
  player_id: 'p',
  full_name: 'Ann',
  positions: ['SS'],
  grad_year: 2027,
  kind: 'sixty_yard_dash',
  label: '60-yard dash',
  decimals: 2,
  unit: 's',
  lower_is_better: true,
  was: 7.1,
  now: 6.9,
  taken_at: '2026-05-01',
  source: 'event',
  verified: true,
}

test.each([
  [CHANGE, 'down 0.20', true],
  [{ ...CHANGE, was: 6.8 }, 'up 0.10', false],
  [{ ...CHANGE, lower_is_better: false, was: 6.8 }, 'up 0.10', true],
  [{ ...CHANGE, was: 6.9 }, 'as before', undefined],
  [{ ...CHANGE, was: null }, 'first', undefined],
])('a change %#', (change, words, better) => {
  expect(changeWords(change)).toBe(words)
  expect(isBetter(change)).toBe(better)
})

test('a change has the percentile of the number that counts', () => {
  const row = { metric: 'sixty_yard_dash', value: 6.9, percentile: 80 } as NonNullable<
    Parameters<typeof percentileOf>[1]
  >[number]
  expect(percentileOf(CHANGE, [row])).toBe(80)
  expect(percentileOf(CHANGE, [{ ...row, value: 6.8 }])).toBeNull()
  expect(percentileOf(CHANGE)).toBeNull()
})

test('a pitcher is ready on a day; only a known limit can be exceeded', () => {
  const now = new Date(2026, 4, 16, 12)
  expect(readyWords('2026-05-16', now)).toBe('Ready')
  expect(readyWords('2026-05-20', now)).toBe('Wed')
  expect(readyWords('2026-05-23', now)).toBe('May 23')
  expect(readyWords(null, now)).toBe('Not counted')
  expect(isOverLimit({ pitches: 96, day_limit: 95 })).toBe(true)
  expect(isOverLimit({ pitches: 95, day_limit: 95 })).toBe(false)
  expect(isOverLimit({ pitches: 200, day_limit: null })).toBe(false)
  expect(isOverLimit({ pitches: null, day_limit: 95 })).toBe(false)
})
