import type { Session } from '@supabase/supabase-js'
import { screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import TeamScreen from '@/app/team'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const session = { access_token: 'token', user: { id: 'id-1', email: 'ana@x.test' } } as Session

async function open(role: string, memberships: unknown[]) {
  fake.answers = { users: { data: { role } }, team_members: { data: memberships }, games: { data: [] } }
  renderRoutes([{ path: '/', element: <TeamScreen /> }], '/', (page) => <SessionProvider>{page}</SessionProvider>)
  await fake.say('INITIAL_SESSION', session)
}

beforeEach(() => fake.reset())

test.each([
  ['coach', 'Create or join a team', '/coach'],
  ['player', 'Ask to join a team', '/player'],
])('a %s without a team finds one on the own profile', async (role, name, path) => {
  await open(role, [])
  expect((await screen.findByRole('link', { name })).getAttribute('href')).toBe(path)
})

test('a fan has no team, and no button that leads to none', async () => {
  await open('fan', [])
  expect(await screen.findByText('You are on no team yet.')).toBeTruthy()
  expect(screen.queryByRole('link')).toBeNull()
})

// Issue 10, C10: players see no roster here, and nobody sees messages yet.
test('a player reads what the hub has', async () => {
  const team = { id: 't1', name: 'Owls', city: null, state: null, logo: null }
  await open('player', [{ team_id: 't1', role: 'player', status: 'active', teams: team }])
  expect(await screen.findByText('Your teams with their games. Messages are coming soon.')).toBeTruthy()
})
