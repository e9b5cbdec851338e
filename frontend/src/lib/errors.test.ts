import { expect, test } from 'vitest'
import { codeOf, explain, messageOf, statusOf } from '@/lib/errors'

test.each([
  [new Error('Broken bat'), 'Broken bat'],
  [{ message: 'from JSON' }, 'from JSON'],
  [new Error(''), 'fallback'],
  // What auth-js makes of a proxy's empty answer.
  [{ message: '{}' }, 'fallback'],
  // What postgrest-js makes of a lost connection.
  [{ message: 'TypeError: Failed to fetch' }, 'fallback'],
  ['a string', 'fallback'],
  [null, 'fallback'],
])('the message of %o is %s', (error, message) => {
  expect(messageOf(error, 'fallback')).toBe(message)
})

test('what there is to do about it follows what happened', () => {
  expect(explain({ message: 'Five are enough.', hint: 'Try again tomorrow.' }, '')).toBe(
    'Five are enough. Try again tomorrow.',
  )
  expect(explain({ message: 'Five are enough.', hint: null }, '')).toBe('Five are enough.')
})

test('codes and statuses are read only where they are of the right type', () => {
  expect(codeOf({ code: 'user_already_exists' })).toBe('user_already_exists')
  expect(codeOf({ code: 42 })).toBeUndefined()
  expect(statusOf({ status: 422 })).toBe(422)
  // auth-js reports 0 when there was no answer at all.
  expect(statusOf({ status: 0 })).toBeUndefined()
})
