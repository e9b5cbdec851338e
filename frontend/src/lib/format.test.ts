import { describe, expect, test } from 'vitest'
import { count, day, decimal, dollars, duration, feet, innings, rate, text, fieldText } from '@/lib/format'

// Issue 5, "Design": "—" for unknown, never 0; `.285`.
describe('numbers as the game writes them', () => {
  test.each([
    [rate(0.285), '.285'],
    [rate(1.0423), '1.042'],
    [rate(0), '.000'],
    [rate(null), '—'],
    [rate(Number.NaN), '—'],
    [decimal(3.456), '3.46'],
    [decimal(undefined), '—'],
    [count(1204), '1,204'],
    [count(0), '0'],
    [count(null), '—'],
    [innings(19), '6.1'],
    [innings(null), '—'],
    [feet(74), '6′ 2″'],
    [feet(null), '—'],
    [duration(48), '48 s'],
    [duration(720), '12 min'],
    [duration(3900), '1 h 5 min'],
    [duration(7200), '2 h'],
    [duration(null), '—'],
    [day('2026-11-21'), 'Nov 21, 2026'],
    [day(null), '—'],
    [text('  '), '—'],
    [text('Gulls'), 'Gulls'],
  ])('%s is %s', (given, expected) => {
    expect(given).toBe(expected)
  })
})

describe('numbers are rounded half up, as on paper', () => {
  test.each([
    // 9 * 17 / 72, which is exact in binary but half to even, and others that are not.
    [decimal(2.125), '2.13'],
    [decimal(1.005), '1.01'],
    [decimal(4.335), '4.34'],
    [decimal((9 * 61) / 244, 1), '2.3'],
    [decimal(0.285 * 100, 0), '29'],
    [rate(17 / 80), '.213'],
    [rate(0.0005), '.001'],
    [rate(0.9995), '1.000'],
    [rate(1 / 3), '.333'],
    [decimal(-2.125), '-2.13'],
    [decimal(-0.04, 1), '0.0'],
    [rate(-0.0004), '.000'],
    [rate(-0), '.000'],
    [rate(-0.0125), '-.013'],
    [decimal(123456789.125), '123456789.13'],
    [dollars(1.005), '$1.01'],
  ])('%s is %s', (given, expected) => {
    expect(given).toBe(expected)
  })
})

test('a field shows a list with commas, and nothing for what is unknown', () => {
  expect(fieldText(['SS', '2B'])).toBe('SS, 2B')
  expect([fieldText(null), fieldText(0)]).toEqual(['', '0'])
})
