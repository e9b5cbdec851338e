import { expect, test } from 'vitest'
import { bestOf, committed, measured, newest } from '@/data/home/feed'
import { firstName, greeting, nextSteps, visibilityWord } from '@/features/home/model'

test.each([
  [0, 'Good evening'],
  [5, 'Good morning'],
  [11, 'Good morning'],
  [12, 'Good afternoon'],
  [17, 'Good afternoon'],
  [18, 'Good evening'],
])('at %i o’clock one says %s', (hour, words) => {
  expect(greeting(hour)).toBe(words)
})

test.each([
  ['Ana Maria Ruiz', 'ana.ruiz@x.test', 'Ana'],
  ['  ', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', 'ana.ruiz@x.test', 'ana.ruiz'],
  ['', null, 'friend'],
])('%j with %j is called %s', (fullName, email, name) => {
  expect(firstName(fullName, email)).toBe(name)
})

test('the best percentiles come first, and what cannot be compared not at all', () => {
  const rows = [3, null, 80, 99, 12, 40].map((percentile) => ({ percentile }))
  expect(bestOf(rows).map(({ percentile }) => percentile)).toEqual([99, 80, 40, 12])
})

test('news reads in words', () => {
  const kind = { label: 'Exit velocity', decimals: 1 }
  expect(measured({ value: 84.25, unit: 'mph', verified_at: '2026-11-01', measurement_kinds: kind })).toBe(
    'Exit velocity 84.3 mph, verified',
  )
  expect(measured({ value: 84, unit: 'mph', measurement_kinds: kind })).toBe('Exit velocity 84.0 mph')
  const words = ['committed', 'signed', 'withdrawn'].map((status) => committed({ status, program: 'Timber State' }))
  expect(words).toEqual([
    'Committed to Timber State',
    'Signed with Timber State',
    'No longer committed to Timber State',
  ])
})

// Issue 10, C7: with the day of the measurement, not the day on which it was entered.
test('news is of those whom one may see, the last entered first, with the day it happened on', () => {
  const row = (id: string, player_id: string, created_at: string) => ({
    id,
    player_id,
    created_at,
    what: id,
    on: '2025-08-12',
  })
  const rows = [row('old', 'a', '2026-01-01'), row('hidden', 'b', '2026-03-01'), row('new', 'a', '2026-02-01')]
  const names = new Map([['a', 'Ana']])
  expect(newest(rows, names, 5).map(({ id, name, on }) => [id, name, on])).toEqual([
    ['new', 'Ana', '2025-08-12'],
    ['old', 'Ana', '2025-08-12'],
  ])
  expect(newest(rows, names, 1)).toHaveLength(1)
})

test.each([
  ['visible', 'Public'],
  ['private', 'Private'],
  ['guardian_missing', 'Hidden'],
  ['hidden_by_guardian', 'Hidden'],
  [undefined, '—'],
])('%s is %s', (visibility, word) => {
  expect(visibilityWord(visibility)).toBe(word)
})

// Specification section 2: where My Profile leads.
test.each([
  ['player', '/player'],
  ['coach', '/coach'],
  ['scout', '/scout'],
  ['fan', '/player'],
  ['admin', '/player'],
] as const)('a %s goes on to %s', (role, path) => {
  expect(nextSteps(role).find(({ title }) => title === 'My Profile')?.to).toBe(path)
  expect(nextSteps(role).some(({ to }) => to === '/admin')).toBe(role === 'admin')
})
