import { expect, test } from 'vitest'
import { ageOn } from '@/lib/minors'

test.each([
  ['2013-11-21', '2026-11-21T00:00:00Z', 13],
  ['2013-11-22', '2026-11-21T23:59:59Z', 12],
  ['2008-02-29', '2026-02-28T12:00:00Z', 17],
  ['2008-02-29', '2026-03-01T00:00:00Z', 18],
  ['2026-11-21', '2026-11-21T12:00:00Z', 0],
])('who was born on %s is, at %s, %i', (birthDate, now, years) => {
  expect(ageOn(birthDate, new Date(now))).toBe(years)
})
