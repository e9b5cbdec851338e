import { expect, test } from 'vitest'
import { chosenTier, priceText, saveTier } from '@/features/pricing/model'

// Specification section 3, "Browser storage"; section 9: default BASIC, price 0.
test('a chosen tier waits in the storage for the sign-up', () => {
  expect(chosenTier(localStorage)).toBeNull()
  saveTier(localStorage, { id: 'ELITE', price_monthly: 19 })
  expect(localStorage.getItem('selectedMembershipTier')).toBe('ELITE')
  expect(localStorage.getItem('selectedMembershipPrice')).toBe('19')
  expect(chosenTier(localStorage)).toBe('ELITE')
})

test.each([
  [0, 'Free'],
  [9, '$9'],
  [9.5, '$9.50'],
])('%s reads %s', (price, text) => {
  expect(priceText(price)).toBe(text)
})
