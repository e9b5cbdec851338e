import { describe, expect, test } from 'vitest'
import type { Part, RankedPlayer, Run } from '@/data/rankings/model'
import { axisOf, likely, narrowest, parseView, partValue, signed, tiers, writeView } from '@/features/rankings/model'

describe('the address', () => {
  test.each([
    '',
    'state=OR&class=2027&position=IF',
    'kind=teams&state=OR&league=00000000-0000-4000-8000-000000000001',
    'kind=teams&season=2025',
    'class=2028&hitters=20-25-15-25-5&pitchers=35-25-15-10-5',
  ])('%s is written as it is read', (text) => {
    expect(writeView(parseView(new URLSearchParams(text))).toString()).toBe(text)
  })

  test.each([
    'kind=coaches&class=7&position=XX&state=Oregon&league=1&season=2025',
    'hitters=0-0-0-0-0&pitchers=1-1-1-1-1',
    'hitters=101-0-0-0-0&pitchers=1-1-1-1-1',
  ])('what cannot be asked for is left out: %s', (text) =>
    expect(writeView(parseView(new URLSearchParams(text))).toString()).toBe(''),
  )
})

test('numbers have their units and signs', () => {
  const part = { part: 'bat', metric: 'woba', value: 0.3417, tries: 61 } as Part
  expect(partValue(part)).toBe('.342 in 61 PA')
  expect(partValue({ ...part, metric: 'sixty_yard_dash', value: 6.9 })).toBe('6.90 s')
  expect(partValue({ ...part, metric: 'fastball_max', value: 88 })).toBe('88.0 mph')
  expect(signed(-1.14)).toBe('−1.1')
  expect(likely({ best: 4, worst: 11 })).toBe('likely 4–11')
  expect(likely({ best: 1, worst: 1 })).toBe('likely 1')
})

test('a tier ends where the first is almost surely better', () => {
  const at = (value: number, sd = 2) => ({ value, sd })
  expect(tiers([at(70), at(68), at(66.5), at(66), at(60)])).toEqual([0, 3, 4])
  // Doubt keeps them together.
  expect(tiers([at(70, 6), at(60, 6)])).toEqual([0])
  expect(tiers([])).toEqual([])
})

test('the axis holds every range', () => {
  const { ticks, at } = axisOf([
    { value: 71, sd: 2 },
    { value: 52, sd: 4 },
  ])
  expect(ticks).toEqual([40, 50, 60, 70, 80])
  expect(at(40)).toBe(0)
  expect(at(80)).toBe(100)
})

test('what would narrow the range most is the heaviest part that is missing', () => {
  const run = {
    params: {
      doubts: { measured: 0.3, unknown: 0.8 },
      parts: { hitter: ['sixty', 'exit', 'arm', 'bat', 'size'], pitcher: [] },
    },
  } as unknown as Run
  const weights = { hitter: [20, 25, 15, 25, 15], pitcher: [] }
  const part = {} as Part
  // Rated as a hitter, whatever the position is now.
  const row = {
    positions: ['P'],
    pitcher: false,
    sd: 3,
    parts: [part, part, null, null, part],
  } as unknown as RankedPlayer
  const found = narrowest(row, run, weights)
  // The wOBA weighs more, but takes games instead of a measurement.
  expect(found?.part).toBe('arm')
  expect(found?.after).toBeCloseTo(1.645 * Math.sqrt(9 - 2.25 * 0.55))
  expect(narrowest({ ...row, parts: [part, part, part, part, part] }, run, weights)).toBeNull()
})
