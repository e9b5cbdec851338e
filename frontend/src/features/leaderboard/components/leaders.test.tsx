import { render, screen, within } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Leader } from '@/data/leaderboard/model'
import { Leaders } from '@/features/leaderboard/components/leaders'
import { SEASON_STATS, type Stat } from '@/features/leaderboard/stats'

const ROW: Leader = {
  rank: 1,
  id: 'a',
  name: 'Ann Osei',
  positions: ['SS'],
  class: 2027,
  state: 'OR',
  team: 'Owls',
  value: 0.412,
  tries: 60,
  needs: null,
  percentile: 98,
  source: 'scorebook',
  verified: false,
  taken_at: null,
  trail: [0.3, 0.35, 0.4, 0.41, 0.412],
}
const show = (name: string, rows: Leader[]) => {
  const stat = SEASON_STATS.batting.find((one) => one.name === name) as Stat
  render(<Leaders stat={stat} tab="batting" rows={rows} you={null} busy={false} />, { wrapper: MemoryRouter })
  return within(screen.getByRole('row', { name: /Ann/ }))
}

test('a rate with a percentile has heat, and a line of the games before', () => {
  const row = show('avg', [ROW])
  expect(row.getByText('.412').style.backgroundColor).not.toBe('')
  expect(row.getByRole('img', { name: 'Rises from .300 to .412 over 5 values' })).toBeTruthy()
  expect(screen.getByRole('columnheader', { name: 'By game' })).toBeTruthy()
})

test('amounts and players without a rank have no heat; without any line there is no column', () => {
  const amount = show('hr', [{ ...ROW, value: 3, trail: null }])
  expect(amount.getByText('3').style.backgroundColor).toBe('')
  expect(screen.queryByRole('columnheader', { name: 'By game' })).toBeNull()
})

test('who lacks tries is told how many, without heat', () => {
  const row = show('avg', [{ ...ROW, rank: null, percentile: null, needs: 6 }])
  expect(row.getByText('needs 6 PA')).toBeTruthy()
  expect(row.getByText('.412').style.backgroundColor).toBe('')
})
