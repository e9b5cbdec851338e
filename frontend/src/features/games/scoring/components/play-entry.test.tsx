import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { PlayEntry } from '@/features/games/scoring/components/play-entry'
import { ODD_PLAYS } from '@/features/games/scoring/odd-plays'
import type { Standing } from '@/features/games/scoring/standing'

const order = new Map(['Ann', 'Bo', 'Cy'].map((athlete, index) => [index + 1, { athlete, position: index + 1 }]))
const NOW: Standing = {
  inning: 1,
  batting: 0,
  outs: 0,
  bases: ['Bo', 'Cy', 'Di'],
  score: [0, 0],
  slots: [order, new Map()],
  batter: 'Ann',
  pitcher: 'Reyes',
  decided: false,
  sideRetired: false,
  begun: true,
  runnerDue: null,
  toWin: null,
}

function page(now: Partial<Standing> = {}) {
  const on = { onPlay: vi.fn(() => Promise.resolve(true)), onSub: vi.fn(), onOrder: vi.fn() }
  render(<PlayEntry {...on} now={{ ...NOW, ...now }} at={1} name={(id) => id} pitches="" />)
  return on
}

const tap = (name: string) => userEvent.click(screen.getByRole('button', { name }))

it('shows every odd play with a sentence, two taps before it can be saved', async () => {
  page()
  for (const { name, text, choice } of ODD_PLAYS.flatMap(([, plays]) => plays)) {
    if (!('kind' in choice)) continue
    await tap('Odd plays')
    const button = screen.getByRole('button', { name, description: text })
    await userEvent.click(button)
    expect(screen.getByRole('button', { name: 'Save play' }), name).toBeTruthy()
    await tap('Back')
  }
}, 60_000)

it('leaves out what cannot happen now', async () => {
  page({ bases: [null, null, null], outs: 2 })
  await tap('Odd plays')
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Odd plays' }))
  for (const name of ['Triple play', 'Infield fly', 'Runner obstructed', 'Courtesy runner'])
    expect(screen.queryByRole('button', { name })).toBeNull()
  expect(screen.getByRole('button', { name: 'Dropped throw' })).toBeTruthy()
})

it('saves a hit with a wild throw, whose fielder it asks for', async () => {
  const { onPlay } = page({ bases: [null, null, null] })
  await tap('Odd plays')
  await tap('Hit and wild throw')
  expect(screen.getByRole('status').textContent).toBe('Tap who threw the ball away.')
  const [, left] = screen.getAllByRole('button', { name: '7 LF' })
  if (left) await userEvent.click(left)
  expect(screen.getByRole('status').textContent).toBe('Single, throwing error by left. Ann to second. S.B-2(E7/TH)')
  await tap('Save play')
  expect(onPlay).toHaveBeenCalledWith('play,1,0,Ann,??,,S.B-2(E7/TH)', expect.anything())
})

it('opens the substitution, and says who bats out of turn', async () => {
  const { onSub, onOrder } = page()
  await tap('Odd plays')
  await tap('Courtesy runner')
  expect(onSub).toHaveBeenCalledWith('courtesy')
  await tap('Another batter is up')
  await tap('3. Cy')
  expect(onOrder).toHaveBeenCalledWith(3)
})
