import { expect, test } from 'vitest'
import { codeOf, messageOf, SESSION_ENDED, statusOf, UNREACHABLE } from '@/lib/errors'
import { explain } from '@/lib/explain'

test.each([
  [new Error('Broken bat'), 'Broken bat'],
  [{ message: 'from JSON' }, 'from JSON'],
  [new Error(''), 'fallback'],
  // What auth-js makes of a proxy's empty answer.
  [{ message: '{}' }, 'fallback'],
  // What postgrest-js makes of a lost connection.
  [{ message: 'TypeError: Failed to fetch' }, UNREACHABLE],
  [new TypeError('Failed to fetch'), UNREACHABLE],
  [{ message: 'TypeError: NetworkError when attempting to fetch resource.', code: '' }, UNREACHABLE],
  [{ message: 'JWT expired', code: 'PGRST303' }, SESSION_ENDED],
  [Object.assign(new Error('Auth session missing!'), { name: 'AuthSessionMissingError' }), SESSION_ENDED],
  [{ message: 'new row violates row-level security policy for table "reports"', code: '42501' }, 'fallback'],
  [{ message: 'new row for relation "users" violates check constraint "users_name"', code: '23514' }, 'fallback'],
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
