import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import type { Arm } from '@/data/home/queries'
import { Arms } from '@/features/home/components/arms'
import { PitchAlert } from '@/features/home/components/pitch-alert'

const ARM: Arm = {
  athlete_id: 'a',
  user_id: null,
  full_name: 'Ann',
  played_on: '2026-05-12',
  pitches: 20,
  day_limit: 95,
  ready_on: '2026-05-13',
  over_on: '2026-05-09',
  over_pitches: 97,
  over_game: 'g',
}
const show = (arms: Arm[]) =>
  render(
    <MemoryRouter>
      <PitchAlert arms={arms} />
      <Arms arms={arms} />
    </MemoryRouter>,
  )

test('one breach: the day and its pitches, not those of the last outing, and the way to the game', () => {
  show([ARM])
  expect(screen.getByRole('alert').textContent).toContain('Ann: 97 pitches on May 9, limit 95')
  expect(screen.getByRole('link', { name: 'Open the game' }).getAttribute('href')).toBe('/games/g')
})

test('several breaches: one button, which leads to the arms', () => {
  show([ARM, { ...ARM, athlete_id: 'b', full_name: 'Bea' }])
  expect(screen.getByRole('alert').textContent).toContain('2 pitchers over the limit')
  screen.getByRole('button', { name: 'See arms' }).click()
  expect(document.activeElement?.id).toBe('arms')
})

test('no breach, no banner', () => {
  show([{ ...ARM, over_on: null, over_pitches: null, over_game: null }])
  expect(screen.queryByRole('alert')).toBeNull()
})
