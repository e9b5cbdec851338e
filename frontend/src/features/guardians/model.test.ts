import { describe, expect, test } from 'vitest'
import {
  afterRevoking,
  currentGuardianships,
  fileName,
  invitationLetter,
  isAdult,
  wardVisibility,
  type Guardianship,
} from '@/features/guardians/model'

const row = (given: Partial<Guardianship>): Guardianship => ({
  id: 'g',
  guardian_id: null,
  invited_email: 'mum@x.test',
  status: 'invited',
  invited_at: '2026-11-01T10:00:00Z',
  answered_at: null,
  ended_at: null,
  ...given,
})

test('of each address the latest invitation counts, and what was withdrawn is not told', () => {
  const rows = [
    row({ id: 'again', invited_at: '2026-11-03T10:00:00Z' }),
    row({ status: 'declined', answered_at: '2026-11-02T10:00:00Z' }),
    row({ id: 'withdrawn', invited_email: 'typo@x.test', status: 'revoked' }),
    row({ invited_email: 'dad@x.test', status: 'accepted', guardian_id: 'd', answered_at: '2026-11-04T10:00:00Z' }),
    row({ invited_email: 'aunt@x.test', status: 'revoked', guardian_id: 'a', ended_at: '2026-11-05T10:00:00Z' }),
    row({ invited_email: 'bro@x.test', status: 'declined', answered_at: '2026-11-06T10:00:00Z' }),
  ]
  expect(currentGuardianships(rows).map(({ id, invited_email, state }) => [id, invited_email, state])).toEqual([
    ['again', 'mum@x.test', 'Invited Nov 3, 2026, not answered yet'],
    ['g', 'dad@x.test', 'Your guardian since Nov 4, 2026'],
    ['g', 'aunt@x.test', 'Your guardian until Nov 5, 2026'],
    ['g', 'bro@x.test', 'Declined Nov 6, 2026'],
  ])
})

test('a letter is addressed, and says where to go', () => {
  const url = new URL(invitationLetter('mum+ball@x.test', 'https://d.test'))
  expect(decodeURIComponent(url.pathname)).toBe('mum+ball@x.test')
  expect(url.searchParams.get('body')).toContain('sign up at https://d.test/signin with mum+ball@x.test')
})

function bornYearsAgo(years: number) {
  const date = new Date()
  date.setUTCFullYear(date.getUTCFullYear() - years, 0, 1)
  return date.toISOString().slice(0, 10)
}

test.each([
  [{ shown: true }, 'Everybody can see the profile.'],
  [{ hides_profile: true, public_profile: false }, 'You have hidden the profile from others.'],
  [{ public_profile: true }, 'Another guardian has hidden the profile.'],
  [{}, 'The profile is private.'],
  [{ suspended: true }, 'The account is suspended: you can read it, and nothing of it can be changed.'],
])('%j reads: %s', (given, words) => {
  const hidden = { shown: false, suspended: false, hides_profile: false, public_profile: false }
  const teen = { birth_date: bornYearsAgo(15), audience: 'team' }
  expect(wardVisibility({ ...hidden, ...teen, ...given })).toBe(words)
})

test.each([
  [{ shown: true }, 'The team and its families see the profile. It is in no public list, feed or search.'],
  [
    { shown: true, audience: 'verified' },
    'The team and its families see the profile. Verified coaches and scouts can open it if they have its link, but do not ' +
      'find it in any list, feed or search.',
  ],
  [{ audience: 'family' }, 'Only the family and verified coaches of the team can open the profile.'],
  [{ hides_profile: true }, 'You have hidden the profile from others.'],
  [{}, 'Another guardian has hidden the profile, or allows only the family.'],
])('under 13, %j reads: %s', (given, words) => {
  const hidden = { shown: false, suspended: false, hides_profile: false, public_profile: false }
  expect(wardVisibility({ ...hidden, birth_date: bornYearsAgo(12), audience: 'team', ...given })).toBe(words)
})

describe('ending a guardianship', () => {
  const yearsAgo = bornYearsAgo
  const ward = { full_name: 'Mia', guardians: 1, hides_profile: false, birth_date: yearsAgo(10) }

  test('says what follows under 13, from 13 on, and beside another guardian', () => {
    expect(afterRevoking(ward)).toContain('Mia is under 13: without a guardian nobody else sees the profile')
    expect(afterRevoking({ ...ward, birth_date: yearsAgo(15) })).toContain('The profile stays as it is.')
    expect(afterRevoking({ ...ward, birth_date: yearsAgo(15), hides_profile: true })).toContain('stays hidden')
    expect(afterRevoking({ ...ward, guardians: 2 })).toContain('Another guardian stays.')
  })

  test('is what a birth date of 18 years ago does', () => {
    expect([yearsAgo(19), yearsAgo(17), '2008-1-1', ''].map(isAdult)).toEqual([true, false, false, false])
  })
})

test.each([
  ['Mia Vance', 'mia-vance'],
  [' José Ñ. ', 'josé-ñ'],
  ['!!', 'ward'],
])('%j as a file’s name is %s', (name, file) => {
  expect(fileName(name)).toBe(file)
})
