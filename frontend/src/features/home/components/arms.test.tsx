import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Arm } from '@/data/home/queries'
import { Arms } from '@/features/home/components/arms'

const ARM: Arm = {
  athlete_id: 'a',
  user_id: null,
  full_name: 'Guest',
  played_on: '2026-05-09',
  pitches: 31,
  day_limit: 95,
  ready_on: '2026-05-11',
  over_on: null,
  over_pitches: null,
  over_game: null,
}
const show = (arms: Arm[]) => render(<Arms arms={arms} />, { wrapper: MemoryRouter })

test('a pitcher with unrecorded pitches is not shown as ready', () => {
  show([{ ...ARM, pitches: null, ready_on: null }])
  screen.getByText(/^Pitches not counted · May 9/)
  screen.getByText('Not counted')
  expect(screen.queryByText('Ready')).toBeNull()
})

test('a number of pitches, and when the rest is over', () => {
  show([ARM])
  screen.getByText(/^31 pitches of 95 · May 9/)
  screen.getByText('Ready')
})

test('a week without outings', () => {
  show([])
  screen.getByText('No outing in the last seven days.')
})
