import { expect, test } from 'vitest'
import { codeSchema, day, freeName, grouped, nameSchema } from '@/features/settings/model'

test.each([
  [[], 'App'],
  [['Key'], 'App'],
  [['App'], 'App 2'],
  [['App', 'App 2', 'App 4'], 'App 3'],
])('beside %j the next app is called %s', (taken, name) => {
  expect(freeName('App', taken)).toBe(name)
})

test.each([
  ['123456', true],
  [' 123456 ', true],
  ['12345', false],
  ['1234567', false],
  ['12345a', false],
])('%j is a code: %s', (code, valid) => {
  expect(codeSchema.safeParse({ code }).success).toBe(valid)
})

test.each([
  ['Phone', true],
  ['  ', false],
  ['n'.repeat(120), true],
  ['n'.repeat(121), false],
  ['ä'.repeat(61), false],
])('%s is a name: %s', (name, valid) => {
  expect(nameSchema.safeParse({ name }).success).toBe(valid)
})

test('secrets and days are for people', () => {
  expect(grouped('ABCDEFGHIJ')).toBe('ABCD EFGH IJ')
  expect(grouped('ABCD')).toBe('ABCD')
  expect(day('2026-11-21T12:00:00Z', 'en-GB')).toBe('21 November 2026')
})
