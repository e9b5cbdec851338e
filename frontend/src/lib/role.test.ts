import { expect, test } from 'vitest'
import { profilePath, resolveRole } from '@/lib/role'

const row = (role: string | null, user_type: string | null, is_admin: boolean | null = false) => ({
  role,
  user_type,
  is_admin,
})

// Specification section 4, "Role resolution".
test.each([
  [row('player', 'coach', true), 'admin'],
  [row('player', 'coach'), 'player'],
  [row(null, 'coach'), 'coach'],
  [row('', 'scout', null), 'scout'],
  [row(null, null), 'fan'],
  [row('admin', 'player'), 'admin'],
  [row('umpire', 'scout'), 'scout'],
  [null, 'fan'],
] as const)('%j is a %s', (columns, role) => {
  expect(resolveRole(columns)).toBe(role)
})

// Section 2: /player for players and fans, /coach for coaches, /scout for scouts, /player for any other.
test.each([
  ['player', '/player'],
  ['fan', '/player'],
  ['coach', '/coach'],
  ['scout', '/scout'],
  ['admin', '/player'],
] as const)("a %s's profile is at %s", (role, path) => {
  expect(profilePath(role)).toBe(path)
})
