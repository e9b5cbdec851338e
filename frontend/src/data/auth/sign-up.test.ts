import { expect, test } from 'vitest'
import { coachMetadata, signUpMetadata } from '@/data/auth/sign-up'

const coach = {
  fullName: 'Bo Diaz',
  league: 'Cape Cod',
  yearsCoaching: 0,
  teamName: 'Gulls',
  monthsCurrentLeague: 11,
  yearsCurrentLeague: 0,
  monthsCurrentTeam: 0,
  yearsCurrentTeam: 49,
}

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
  expect(coachMetadata(coach, { tier: 'ELITE', price: 9 })).toEqual({
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
