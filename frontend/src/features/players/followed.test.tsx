import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Followed } from '@/data/players/followed'
import { FollowedRow } from '@/features/players/components/followed-row'
import { nextWords, parseSort, trendOf } from '@/features/players/followed'
import FollowedPlayersScreen from '@/features/players/routes/followed-players'

const server = vi.hoisted(() => ({ rows: [] as unknown[], asked: [] as unknown[] }))

vi.mock('@/lib/supabase', () => ({
  supabase: {
    rpc: (_: string, given: { after_id?: string }) => {
      server.asked.push(given)
      const from = server.rows.findIndex((row) => (row as Followed).id === given.after_id) + 1
      return { abortSignal: () => Promise.resolve({ data: server.rows.slice(from, from + 20), error: null }) }
    },
  },
  unwrap: ({ data }: { data: unknown }) => data,
}))
vi.mock('@/lib/session', () => ({ useSession: () => ({ user: { id: 'me' } }) }))

const ROW: Followed = {
  id: 'ann',
  full_name: 'Ann Arbor',
  role: 'player',
  photo: null,
  muted: false,
  since: '2026-05-01T12:00:00Z',
  positions: ['SS'],
  grad_year: 2027,
  state: 'OR',
  place: -0.9,
  week: { pa: 14, ab: 12, h: 4, ops: 0.9, season_ops: 0.78 },
  last_game: null,
  next_game: null,
}

const wrap = (node: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MemoryRouter>{node}</MemoryRouter>
    </QueryClientProvider>,
  )

test('the last seven days stand beside the season', () => {
  wrap(<FollowedRow userId="me" followed={ROW} />)
  screen.getByText('.900 OPS')
  screen.getByText('14 PA, season .780')
  screen.getByText('above the season')
  screen.getByText('No public game')
  screen.getByText('None scheduled')
})

test('no trend without two different numbers', () => {
  const week = { pa: 1, ab: 1, h: 0, ops: 0, season_ops: 0 }
  expect(trendOf(week)).toBeUndefined()
  expect(trendOf({ ...week, season_ops: null })).toBeUndefined()
  expect(trendOf({ ...week, season_ops: 0.5 })).toBe('down')
})

test('the next game', () => {
  const game = {
    id: 'g',
    played_on: '2026-05-03',
    starts_at: null,
    visitor_name: 'A',
    home_name: 'B',
    status: 'scheduled',
  }
  expect(nextWords(game, new Date(2026, 4, 1))).toBe('May 3')
  expect(nextWords({ ...game, status: 'live' }, new Date(2026, 4, 1))).toBe('Live')
})

test.each([null, 'form', 'x'])('the order %s is by form', (text) => expect(parseSort(text)).toBe('form'))

test('more rows are asked for after the last one', async () => {
  server.rows = Array.from({ length: 21 }, (_, n) => ({ ...ROW, id: `p${n}`, full_name: `Player ${n}` }))
  wrap(<FollowedPlayersScreen />)
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }))
  await screen.findByRole('link', { name: 'Player 20' })
  expect(server.asked).toEqual([
    { sort: 'form' },
    { sort: 'form', after_place: -0.9, after_name: 'Player 19', after_id: 'p19' },
  ])
})

test('a user who follows nobody gets a link to the search', async () => {
  server.rows = []
  wrap(<FollowedPlayersScreen />)
  expect((await screen.findByRole('link', { name: 'Find players' })).getAttribute('href')).toBe('/search')
})
