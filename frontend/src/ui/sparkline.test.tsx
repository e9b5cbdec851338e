import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { Sparkline, trailWords } from '@/ui/sparkline'

test('its words say where it goes', () => {
  const rate = (value: number) => value.toFixed(3).slice(1)
  expect(trailWords([0.28, 0.3, 0.342], rate)).toBe('Rises from .280 to .342 over 3 values')
  expect(trailWords([0.3, 0.28], rate)).toBe('Falls from .300 to .280 over 2 values')
  expect(trailWords([0.3, 0.28, 0.3], rate)).toBe('Stays at .300 over 3 values')
})

test('the highest value is at the top, and equal values are a line in the middle', () => {
  render(<Sparkline values={[1, 3, 2]} label="a line" />)
  expect(screen.getByRole('img', { name: 'a line' }).querySelector('polyline')?.getAttribute('points')).toBe(
    '3.0,15.0 28.0,3.0 53.0,9.0',
  )
  render(<Sparkline values={[2, 2]} label="level" />)
  expect(screen.getByRole('img', { name: 'level' }).querySelector('polyline')?.getAttribute('points')).toBe(
    '3.0,9.0 53.0,9.0',
  )
})
