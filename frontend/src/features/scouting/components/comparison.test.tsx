import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { comparisonQuery, type Compared } from '@/data/scouting/queries'
import { Comparison } from '@/features/scouting/components/comparison'
import { NewOnList } from '@/features/scouting/components/new-on-list'
import { comparedMetrics, comparedWords } from '@/features/scouting/model'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

const ROW: Compared = {
  player_id: 'ann',
  metric: 'sixty_yard_dash',
  label: '60-yard dash',
  unit: 's',
  decimals: 2,
  lower_is_better: true,
  value: 6.9,
  percentile: 80,
  n: 412,
  class: 2027,
  position: null,
  same_age: false,
  source: 'self',
  verified: false,
  taken_at: '2026-05-01',
  tries: null,
  season: null,
}
const BOB: Compared = { ...ROW, player_id: 'bob', value: 7.1, percentile: null }

test('the better value is the lower one where lower is better', () => {
  expect([...(comparedMetrics([ROW, BOB])[0]?.best ?? [])]).toEqual(['ann'])
  expect([...(comparedMetrics([ROW, { ...BOB, lower_is_better: true, value: 6.9 }])[0]?.best ?? [])]).toEqual([])
  expect([...(comparedMetrics([ROW])[0]?.best ?? [])]).toEqual([])
  const higher = [ROW, BOB].map((row) => ({ ...row, lower_is_better: false }))
  expect([...(comparedMetrics(higher)[0]?.best ?? [])]).toEqual(['bob'])
})

test('numbers read as on profiles', () => {
  expect(comparedWords(ROW)).toBe('6.90 s')
  expect(comparedWords({ metric: 'avg', value: 0.3124, unit: '', decimals: null })).toBe('.312')
  expect(comparedWords({ metric: 'era', value: 2.5, unit: '', decimals: null })).toBe('2.50')
})

test('each number has its percentile and group; a player without it has none', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const bat = {
    ...ROW,
    metric: 'bat_speed',
    label: 'Bat speed',
    unit: 'mph',
    decimals: 1,
    value: 70,
    lower_is_better: false,
  }
  client.setQueryData(comparisonQuery(['ann', 'bob']).queryKey, [ROW, BOB, bat])
  render(
    <QueryClientProvider client={client}>
      <Comparison
        players={[
          { id: 'ann', name: 'Ann' },
          { id: 'bob', name: 'Bob' },
        ]}
      />
    </QueryClientProvider>,
  )
  const dash = within(screen.getByRole('row', { name: /60-yard dash/ })).getAllByRole('cell')
  expect(dash[0]?.textContent).toContain('6.90 s')
  expect(dash[0]?.textContent).toContain('best')
  expect(dash[0]?.textContent).toContain('Class of 2027 · n = 412')
  expect(dash[1]?.textContent).not.toContain('n =')
  expect(within(screen.getByRole('row', { name: /Bat speed/ })).getAllByRole('cell')[1]?.textContent).toContain('—')
})

test('what is new since the last visit', () => {
  const change = {
    watchlist_id: 'l',
    since: '2026-05-02T12:00:00Z',
    id: 'm',
    player_id: 'ann',
    full_name: 'Ann',
    label: 'Bat speed',
    decimals: 1,
    unit: 'mph',
    lower_is_better: false,
    was: null,
    now: 70,
    taken_at: '2026-05-03',
    verified: false,
  }
  render(
    <MemoryRouter>
      <NewOnList changes={[change, { ...change, id: 'n', was: 68 }]} />
    </MemoryRouter>,
  )
  screen.getByText(/^New since your last visit, May 2/)
  const [first, second] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(first).toBe('Ann: Bat speed 70.0 mph, first')
  expect(second).toBe('Ann: Bat speed 70.0 mph, was 68.0')
})
