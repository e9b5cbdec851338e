import { expect, test } from 'vitest'
import type { Percentile } from '@/data/players/queries'
import { blocksOf, keyNumbers, readingOf } from '@/features/players/percentile-blocks'

const ROW: Percentile = {
  metric: 'avg',
  label: 'Batting average',
  value: 0.3,
  unit: '',
  percentile: 80,
  n: 40,
  class: 2027,
  position: 'IF',
  same_age: false,
  source: 'scorebook',
  verified: false,
  taken_at: null,
  tries: 118,
  season: 2026,
}
const DASH: Percentile = {
  ...ROW,
  metric: 'sixty_yard_dash',
  source: 'event',
  verified: true,
  taken_at: '2026-04-25',
  tries: null,
  season: null,
}
const NOW = new Date('2026-11-27T12:00:00Z')

test('the group is said once for the rows that share it, with the range of its sizes', () => {
  const blocks = blocksOf([
    { ...DASH, metric: 'bat_speed', verified: false, source: 'self', class: null, position: null, n: 9 },
    ROW,
    { ...ROW, metric: 'obp', n: 24 },
    DASH,
  ])
  expect(blocks.map(({ title, group, rows }) => [title, group, rows.length])).toEqual([
    ['Scorebook', 'Infielders · Class of 2027 · n = 24–40', 2],
    ['Verified', 'Infielders · Class of 2027 · n = 40', 1],
    ['Not verified', 'All players · n = 9', 1],
  ])
  const circles = blocksOf([ROW, { ...ROW, class: null, n: 90 }]).map(({ group }) => group)
  expect(circles).toEqual(['Infielders · Class of 2027 · n = 40', 'Infielders · n = 90'])
})

test('few tries and old numbers are marked', () => {
  expect(readingOf(ROW, NOW)).toEqual({ few: false, stale: false, size: '118 PA' })
  expect(readingOf({ ...ROW, tries: 39 }, NOW)).toMatchObject({ few: true, size: '39 PA' })
  expect(readingOf({ ...ROW, season: 2025 }, NOW)).toEqual({ few: false, stale: false, size: '118 PA, 2025' })
  expect(readingOf({ ...ROW, season: 2024 }, NOW).stale).toBe(true)
  expect(readingOf({ ...ROW, metric: 'era', tries: 31 }, NOW)).toMatchObject({ few: false, size: '10.1 IP' })
  expect(readingOf(DASH, NOW)).toEqual({ few: false, stale: false, size: 'Apr 25' })
  expect(readingOf({ ...DASH, taken_at: '2025-11-20' }, NOW)).toMatchObject({ stale: true, size: 'Nov 20, 2025' })
})

test('key numbers are those of the position, then the best of the rest', () => {
  const rows = [
    { ...DASH, metric: 'grip', percentile: 20 },
    { ...DASH, metric: 'jump', percentile: 90 },
    DASH,
    { ...ROW, metric: 'ops' },
    { ...ROW, metric: 'fastball_max', percentile: null },
    ROW,
  ]
  expect(keyNumbers(rows, ['SS', 'P']).map(({ metric }) => metric)).toEqual([
    'avg',
    'ops',
    'sixty_yard_dash',
    'jump',
    'grip',
  ])
  expect(keyNumbers(rows, ['P'])[0]?.metric).toBe('fastball_max')
})
