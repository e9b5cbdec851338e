import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { RankedTeam, Run } from '@/data/rankings/model'
import { Places } from '@/features/rankings/components/places'

const RUN: Run = {
  id: 'r',
  season: 2026,
  method: '',
  params: { least_games: 10 },
  data_hash: '',
  created_at: '2026-11-01',
}
const team = (name: string, rank: number | null, value: number): RankedTeam => ({
  id: name,
  name,
  rank,
  previous: null,
  value,
  sd: 20,
  best: rank,
  worst: rank,
  history: [value],
  state: 'OR',
  city: null,
  league: null,
  wins: 3,
  losses: 0,
  ties: 0,
  elo: 1500,
  rpi: null,
  provisional: rank === null,
  why: [],
})

test('teams with too few games stand below the ranked ones, without a rank or a likely place', () => {
  render(
    <Places
      rows={[team('Owls', 1, 1600)]}
      provisional={[team('Rats', null, 1900)]}
      run={RUN}
      weights={null}
      youId={undefined}
      chosen={undefined}
      onChoose={() => undefined}
      busy={false}
    />,
  )
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  const [owls, group, rats] = ['Owls', 'Fewer than 10 games: no rank yet.', 'Rats'].map((words) =>
    rows.findIndex((row) => row.includes(words)),
  )
  expect([owls, group, rats]).toEqual([2, 3, 4])
  expect(rows[2]).toContain('likely 1')
  expect(rows[4]).toContain('—')
  expect(rows[4]).not.toContain('likely')
})
