import { expect, test } from 'vitest'
import { list, optionalNumber, optionalText, pastDay, requiredNumber } from '@/lib/fields'

test('empty is unknown, not 0', () => {
  expect(optionalNumber(1, 9).parse(' ')).toBeNull()
  expect(optionalText(9).parse(' ')).toBeNull()
  expect(optionalNumber(0, 9).parse('0')).toBe(0)
  expect(requiredNumber(0, 9).safeParse('').success).toBe(false)
})

test.each(['x', '10', '-1', '1.5', 'Infinity', '0x'])('%s is not a whole number from 0 to 9', (text) => {
  expect(optionalNumber(0, 9).safeParse(text).error?.issues[0]?.message).toBe('Please enter a number from 0 to 9.')
})

test('a day is a day, and not tomorrow', () => {
  const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)
  expect(['2026-01-31', '2026-13-01', 'soon', tomorrow].map((text) => pastDay.safeParse(text).success)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

test('a list is told apart by commas, each once', () => {
  expect(list(10).parse(' SS, 2B,, SS ')).toEqual(['SS', '2B'])
})
