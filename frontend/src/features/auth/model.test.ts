import { describe, expect, test } from 'vitest'
import { coachMetadata, coachSchema, savedTier, signUpMetadata, signUpSchema } from '@/features/auth/model'

const visitor = {
  fullName: 'Ana Ruiz',
  email: 'ana@x.test',
  password: 'secret',
  confirmPassword: 'secret',
  role: 'player',
}
const coach = {
  fullName: 'Bo Diaz',
  email: 'bo@x.test',
  password: 'secret',
  confirmPassword: 'secret',
  league: 'Cape Cod',
  yearsCoaching: '0',
  teamName: 'Gulls',
  monthsCurrentLeague: '11',
  yearsCurrentLeague: '0',
  monthsCurrentTeam: '0',
  yearsCurrentTeam: '49',
}

function messages(schema: typeof signUpSchema | typeof coachSchema, values: object): string[] {
  return schema.safeParse(values).error?.issues.map((issue) => issue.message) ?? []
}

// Specification section 5, "General signup": the first message is the one reported.
describe('sign-up is checked in this order', () => {
  test.each([
    [{ fullName: ' ', email: '', password: 'short', confirmPassword: 'x' }, 'Full name is required'],
    [{ email: ' ', password: 'short', confirmPassword: 'x' }, 'Email is required'],
    [{ password: '12345', confirmPassword: 'x' }, 'Password must be at least 6 characters'],
    [{ password: '123456', confirmPassword: 'x' }, 'Passwords do not match'],
    [{ password: '123456', confirmPassword: '123456' }, undefined],
  ])('%j: %s', (change, message) => {
    expect(messages(signUpSchema, { ...visitor, ...change })[0]).toBe(message)
  })

  test('and the email is trimmed', () => {
    expect(signUpSchema.parse({ ...visitor, email: '  ana@x.test ' }).email).toBe('ana@x.test')
  })
})

// Section 5, "Coach form errors", listed together.
describe('the coach form', () => {
  test('lists everything at once', () => {
    const empty = {
      fullName: '',
      email: '',
      password: '',
      confirmPassword: 'x',
      league: ' ',
      yearsCoaching: '',
      teamName: '',
    }
    expect(messages(coachSchema, { ...coach, ...empty }).sort()).toEqual([
      'Email is required.',
      'Full name is required.',
      'League is required.',
      'Password must be at least 6 characters.',
      'Passwords do not match.',
      'Team name is required.',
      'Years coaching is required.',
    ])
  })

  test.each([
    [{ yearsCoaching: '49', monthsCurrentTeam: '11' }, true],
    [{ yearsCoaching: '50' }, false],
    [{ monthsCurrentTeam: '12' }, false],
    [{ yearsCurrentLeague: '-1' }, false],
  ])('takes %j: %s', (change, valid) => {
    expect(coachSchema.safeParse({ ...coach, ...change }).success).toBe(valid)
  })
})

// Sections 3 and 6.
test.each([
  ['player', true],
  ['scout', false],
  ['fan', false],
] as const)('the metadata of a %s accepts coach stats: %s', (role, accept_coach_stats) => {
  expect(signUpMetadata({ fullName: 'Ana Ruiz', role }, { tier: 'BASIC', price: 0 })).toEqual({
    full_name: 'Ana Ruiz',
    role,
    public_profile: true,
    accept_coach_stats,
    membership_tier: 'BASIC',
  })
})

test('the metadata of a coach', () => {
  expect(coachMetadata(coachSchema.parse(coach), { tier: 'ELITE', price: 9 })).toEqual({
    full_name: 'Bo Diaz',
    role: 'coach',
    public_profile: true,
    accept_coach_stats: false,
    membership_tier: 'ELITE',
    league: 'Cape Cod',
    years_coaching: 0,
    months_current_league: 11,
    years_current_league: 0,
    months_current_team: 0,
    years_current_team: 49,
    team_name: 'Gulls',
    display_badges: true,
  })
})

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
