import { expect, test } from 'vitest'
import { ipIn, REFERRAL_CODE_LIMIT, referralCodeIn } from '@/features/referrals/model'

// Specification section 4, "Referral": a ref query parameter on any page.
test.each([
  ['?ref=COACH-7', 'COACH-7'],
  ['?utm=x&ref=%20COACH-7%20', 'COACH-7'],
  ['?ref=', null],
  ['?ref=%20', null],
  ['?reference=COACH-7', null],
  ['', null],
  [`?ref=${'x'.repeat(REFERRAL_CODE_LIMIT)}`, 'x'.repeat(REFERRAL_CODE_LIMIT)],
  [`?ref=${'x'.repeat(REFERRAL_CODE_LIMIT + 1)}`, null],
])('%s carries %s', (search, code) => {
  expect(referralCodeIn(search)).toBe(code)
})

// Section 3: 'unknown' if the lookup fails.
test.each([
  [{ ip: '203.0.113.9' }, '203.0.113.9'],
  [{ ip: '' }, 'unknown'],
  [{ error: 'no' }, 'unknown'],
  [null, 'unknown'],
  ['203.0.113.9', 'unknown'],
])('%j is read as %s', (answer, ip) => {
  expect(ipIn(answer)).toBe(ip)
})
