import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Part, RankedPlayer, Run } from '@/data/rankings/model'
import { Why } from '@/features/rankings/components/why'

vi.mock('@/lib/supabase', () => ({ supabase: {} }))

const part = (name: string, source: string, verified: boolean) =>
  ({
    part: name,
    metric: 'exit_velocity_max',
    value: 90,
    source,
    verified,
    percentile: 50,
    n: 20,
    group: 'all',
    points: 1,
  }) as Part

/** A player who was rated as a hitter, and pitches now. */
const row = {
  id: 'a',
  name: 'Ann',
  rank: 1,
  value: 52,
  sd: 3,
  positions: ['P'],
  pitcher: false,
  team: null,
  parts: [part('exit', 'self', true), part('size', 'self', false)],
} as unknown as RankedPlayer
const run = {
  params: {
    parts: { hitter: ['exit', 'size'], pitcher: ['fastball', 'spin'] },
    weights: { hitter: [1, 1], pitcher: [1, 1] },
  },
} as unknown as Run

test('a rating is explained by the parts that the run has used, and who vouches for each', () => {
  render(
    <MemoryRouter>
      <Why row={row} run={run} weights={null} />
    </MemoryRouter>,
  )
  const [exit, height] = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(exit).toMatch(/^Exit velocity 50%.*Confirmed by a coach/)
  expect(height).toMatch(/^Height 50%.*Self-reported/)
})
