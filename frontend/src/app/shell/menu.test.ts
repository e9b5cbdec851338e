import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { isAdminAddress, menuEntries } from '@/app/shell/menu'

// Specification section 2, "Side navigation".
test('the menu has every entry', () => {
  expect(menuEntries('scout', true).map(({ to, label }) => `${to} ${label}`)).toEqual([
    '/ Home',
    '/scout My Profile',
    '/followed-players Following',
    '/analytics Analytics',
    '/swing-analysis Swing Analysis',
    '/personal-coach AI Coach',
    '/admin Admin',
    '/team-communication Communication Hub',
    '/live-stream Live Stream',
    '/search Search',
    '/leaderboard Leaderboard',
    '/rankings Rankings',
    '/college-bound College Bound',
    '/camps Training Camps',
    '/news-reel Newsroom',
    '/training-guides Training Guides',
    '/marketplace Marketplace',
    '/referrals Tokens',
    '/privacy-policy Privacy Policy',
    '/terms-of-service Terms of Service',
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
