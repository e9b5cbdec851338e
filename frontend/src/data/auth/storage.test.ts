import { expect, test } from 'vitest'
import { savedTier } from '@/data/auth/storage'

// Section 9: BASIC at price 0.
test.each([
  [{}, { tier: 'BASIC', price: 0 }],
  [
    { selectedMembershipTier: 'PRO', selectedMembershipPrice: '4.99' },
    { tier: 'PRO', price: 4.99 },
  ],
  [
    { selectedMembershipTier: '', selectedMembershipPrice: 'free' },
    { tier: 'BASIC', price: 0 },
  ],
])('of %j the saved tier is %j', (saved: Record<string, string>, tier) => {
  expect(savedTier({ getItem: (key) => saved[key] ?? null })).toEqual(tier)
})
