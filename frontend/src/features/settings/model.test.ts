import { expect, test } from 'vitest'
import { codeSchema, day, deviceName, grouped, nameSchema, passwordSchema } from '@/features/settings/model'

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

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36',
    'Chrome on Linux',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1', 'Safari on iOS'],
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/150.0 Safari/537.36 Edg/150.0', 'Edge on Windows'],
  ['curl/8.5.0', 'Unknown device'],
  [null, 'Unknown device'],
])('%s is %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})

// Specification section 5.
test('a new password follows the rules of sign-up', () => {
  const messages = (password: string, confirmPassword: string) =>
    passwordSchema.safeParse({ password, confirmPassword, nonce: '' }).error?.issues.map(({ message }) => message)
  expect(messages('12345', '12345')).toEqual(['Password must be at least 6 characters'])
  expect(messages('123456', '1234567')).toEqual(['Passwords do not match'])
  expect(messages('123456', '123456')).toBeUndefined()
})
