import type { Session } from '@supabase/supabase-js'
import { expect, test } from 'vitest'
import { needsSecondFactor } from '@/lib/assurance'

const token = (claims: object) => `e30.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.x`
const session = (access_token: string, ...statuses: string[]) =>
  ({ access_token, user: { factors: statuses.map((status) => ({ status })) } }) as unknown as Session

test.each([
  ['a weak session of somebody with a factor', session(token({ aal: 'aal1' }), 'verified'), true],
  ['a strong one', session(token({ aal: 'aal2' }), 'verified'), false],
  ['a factor that nobody has verified', session(token({ aal: 'aal1' }), 'unverified'), false],
  ['no factor', session(token({ aal: 'aal1' })), false],
  ['what is no token', session('token', 'verified'), false],
  ['nobody', null, false],
])('%s', (_, given, needed) => {
  expect(needsSecondFactor(given)).toBe(needed)
})
