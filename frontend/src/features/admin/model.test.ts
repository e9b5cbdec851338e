import { expect, test } from 'vitest'
import { parseDays, parseTab, reasonWords, textOf, type AuditLine } from '@/features/admin/model'
import { tokensSchema } from '@/features/admin/schemas'

const line = (action: string, rest: Partial<AuditLine> = {}): AuditLine => ({
  action,
  actor_id: 'c',
  actor_name: 'Cyd',
  subject_id: 'a',
  subject_user_id: 'a',
  subject_name: 'Ann',
  detail: {},
  ...rest,
})

test.each([
  [line('user_suspended'), 'Cyd suspended Ann'],
  [line('tokens_adjusted', { detail: { amount: -50 } }), 'Cyd adjusted the tokens of Ann by -50'],
  [line('tokens_adjusted', { detail: { amount: 50 } }), 'Cyd adjusted the tokens of Ann by +50'],
  [line('role_set', { detail: { to: 'coach' } }), 'Cyd set the role of Ann to coach'],
  [line('role_changed', { detail: { from: 'fan', to: 'coach' } }), 'Cyd changed the role of Ann from fan to coach'],
  [line('membership_set', { detail: { tier: 'ELITE' } }), 'Cyd set the membership of Ann to ELITE'],
  [line('admin_granted', { actor_id: null, actor_name: null }), 'The server’s operator made Ann an admin'],
  [line('contact_handled', { subject_user_id: null, subject_name: null }), 'Cyd ticked off a message'],
  [line('report_resolved', { subject_user_id: null, subject_name: null }), 'Cyd resolved a report on something'],
  [
    line('account_deleted', { actor_id: 'a', actor_name: null, subject_user_id: null, subject_name: null }),
    'Somebody who has left deleted their account',
  ],
  [
    line('account_deleted', { subject_user_id: null, subject_name: null }),
    'Cyd deleted the account of somebody who has left',
  ],
  // What a later version writes is still told.
  [line('cap_thrown'), 'Cyd cap thrown: Ann'],
])('%o reads as a sentence', (entry, sentence) => {
  expect(textOf(entry)).toBe(sentence)
})

test.each([
  ['-50', true],
  ['100000', true],
  ['0', false],
  ['100001', false],
  ['1.5', false],
  ['', false],
  ['ten', false],
])('an amount of tokens of %j is %s', (amount, good) => {
  expect(tokensSchema.safeParse({ amount, reason: 'Because' }).success).toBe(good)
})

test('an address says what it can', () => {
  expect([parseTab('audit'), parseTab('no such'), parseTab(null)]).toEqual(['audit', 'figures', 'figures'])
  expect([parseDays('90'), parseDays('12'), parseDays(null)]).toEqual([90, 30, 30])
})

test.each([
  [['spam'], 'Spam'],
  [['spam', 'spam'], '2 reports: Spam 2'],
  [['abuse', 'abuse', 'minor_safety'], '3 reports: Abuse 2, Safety of a minor'],
])('the reasons of the reports of one thing: %s', (reasons, words) => {
  expect(reasonWords({ reasons })).toBe(words)
})
