import { describe, expect, test } from 'vitest'
import { keepReferral, REFERRAL_CODE_LIMIT, referralCodeIn } from '@/data/referrals/kept-code'
import { ipIn } from '@/data/referrals/ip'
import { balance, reasonText, referralLink, share, withBalance } from '@/features/referrals/model'

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

test('a code is kept for a later sign-up, until another takes its place', () => {
  expect(keepReferral('?ref=ONE', localStorage)).toBe('ONE')
  expect(keepReferral('?page=2', localStorage)).toBeNull()
  expect(localStorage.getItem('referralCode')).toBe('ONE')
  keepReferral('?ref=TWO', localStorage)
  expect(localStorage.getItem('referralCode')).toBe('TWO')
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

// Section 9 and issue 5: "ledger whose sum is the balance".
describe('the ledger', () => {
  const lines = [
    { id: 2, amount: -30, reason: 'swing_report', created_at: '2026-11-21T10:00:00Z' },
    { id: 1, amount: 150, reason: 'welcome_bonus', created_at: '2026-11-20T10:00:00Z' },
  ]

  test('adds up, and each line says what was held after it', () => {
    expect(balance(lines)).toBe(120)
    expect(withBalance(lines).map(({ after }) => after)).toEqual([120, 150])
    expect(balance([])).toBe(0)
  })

  test('reads in words', () => {
    expect(lines.map(({ reason }) => reasonText(reason))).toEqual(['Swing report', 'Welcome bonus'])
  })
})

test('a link keeps the code whole', () => {
  expect(referralLink('A&B 7', 'https://d.test')).toBe('https://d.test/?ref=A%26B%207')
  expect(referralCodeIn(new URL(referralLink('A&B 7', 'https://d.test')).search)).toBe('A&B 7')
})

test('a share of nothing is unknown', () => {
  expect([share(1, 4), share(0, 4), share(0, 0)]).toEqual(['25%', '0%', '—'])
})
