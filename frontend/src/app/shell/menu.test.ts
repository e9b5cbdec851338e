import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isAdminAddress, menuEntries } from '@/app/shell/menu'

// Specification section 2, "Side navigation".
test('the menu has every entry in order', () => {
  expect(menuEntries('scout', true).map(({ to, label }) => `${to} ${label}`)).toEqual([
    '/ Home',
    '/scout My Profile',
    '/search Search',
    '/leaderboard Leaderboard',
    '/rankings Rankings',
    '/college-bound College Bound',
    '/news-reel Newsroom',
    '/marketplace Marketplace',
    '/followed-players Following',
    '/live-stream Live Stream',
    '/referrals Tokens',
    '/camps Training Camps',
    '/team-communication Communication Hub',
    '/training-guides Training Guides',
    '/personal-coach AI Coach',
    '/privacy-policy Privacy Policy',
    '/terms-of-service Terms of Service',
    '/analytics Analytics',
    '/swing-analysis Swing Analysis',
    '/admin Admin',
  ])
})

// Section 6: by address, not by role.
test('a role alone does not show Admin', () => {
  expect(menuEntries('admin', false).map(({ label }) => label)).not.toContain('Admin')
})

test.each([
  ['Boss@Club.test ', true],
  ['boss@club.test.evil', false],
])('%s is an admin address: %s', async (email, expected) => {
  const hashes = [createHash('sha256').update('boss@club.test').digest('hex')]
  expect(await isAdminAddress(email, hashes)).toBe(expected)
})
