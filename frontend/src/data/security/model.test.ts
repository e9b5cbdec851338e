import { expect, test } from 'vitest'
import { freeName, sessionIdOf } from '@/data/security/model'

test.each([
  [[], 'App'],
  [['Key'], 'App'],
  [['App'], 'App 2'],
  [['App', 'App 2', 'App 4'], 'App 3'],
])('beside %j the next free name is %s', (taken, name) => {
  expect(freeName('App', taken)).toBe(name)
})

test('reads the session id of a token; undefined if there is none', () => {
  const token = `e30.${btoa(JSON.stringify({ session_id: 's1' }))}.x`
  expect([token, 'x', undefined, `e30.${btoa('[]')}.x`].map(sessionIdOf)).toEqual([
    's1',
    undefined,
    undefined,
    undefined,
  ])
})
