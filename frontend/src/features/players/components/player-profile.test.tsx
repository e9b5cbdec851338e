import { act, screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { PlayerProfile } from '@/features/players/components/player-profile'
import { SessionProvider } from '@/lib/session'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const VIDEOS = [
  { id: 'v1', title: 'Doubles', url: 'https://video.test/1', path: null, recorded_on: null },
  { id: 'v2', title: 'Port', url: 'https://x.test:99999/', path: null, recorded_on: null },
  { id: 'v3', title: 'Script', url: 'javascript:alert(1)', path: null, recorded_on: null },
  { id: 'v4', title: 'Nothing', url: null, path: null, recorded_on: null },
]
const BATTING = { id: 'b1', season: 2026, team_name: 'Gulls', g: 20, pa: 80, ab: 70, h: 21, avg: 0.3 }
const MEASURED = {
  id: 'm1',
  player_id: 'ann',
  kind: 'exit_velocity',
  value: 84.2,
  unit: 'mph',
  taken_at: '2026-05-01',
  source: 'self',
  event: 'https://x.test:99999/',
  verified_at: null,
  measurement_kinds: { label: 'Exit velocity', decimals: 1 },
}
const nothing = () => null

beforeEach(() => {
  fake.reset()
  fake.answers = {
    players: { data: { positions: ['SS'], bio: 'https://x.test:99999/', player_academics: null } },
    player_percentiles: { data: [] },
    measurement_kinds: { data: [{ kind: 'exit_velocity', label: 'Exit velocity', unit: 'mph', decimals: 1 }] },
    measurements: { data: [MEASURED] },
    batting_lines: { data: [BATTING] },
    pitching_lines: { data: [] },
    videos: { data: VIDEOS },
    commitments: { data: [] },
  }
})

// Issue 10, C1: such rows may be older than the check of links.
test('a profile with links that no browser opens is shown, on the screen and on paper', async () => {
  const slots = { care: nothing, teams: nothing, desk: nothing }
  renderRoutes(
    [
      {
        path: '/',
        element: <PlayerProfile id="ann" name="Ann" role="player" photo={null} own={false} slots={slots} />,
      },
    ],
    '/',
    (page) => <SessionProvider>{page}</SessionProvider>,
  )
  await fake.say('INITIAL_SESSION', null)
  const videos = within(await screen.findByRole('region', { name: 'Videos' }))
  expect((await videos.findByRole('link', { name: 'Doubles' })).getAttribute('href')).toBe('https://video.test/1')
  for (const title of ['Port', 'Script', 'Nothing']) {
    expect(videos.getByText(title)).toBeTruthy()
    expect(videos.queryByRole('link', { name: title })).toBeNull()
  }
  expect(videos.getAllByText('The link does not work')).toHaveLength(3)
  expect(screen.getByText('Exit velocity')).toBeTruthy()
  expect(screen.getByText('Gulls')).toBeTruthy()
  act(() => void window.dispatchEvent(new Event('beforeprint')))
  expect(screen.getAllByText(/Doubles/).length).toBeGreaterThan(1)
  expect(screen.getAllByText('Gulls').length).toBeGreaterThan(1)
})
