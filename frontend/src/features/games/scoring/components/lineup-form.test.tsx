import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Athlete, Game } from '@/data/games/model'
import { LineupForm } from '@/features/games/scoring/components/lineup-form'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

/** Pixels of a row. */
const ROW = 50

const athletes = ['Ann', 'Bo', 'Cy', 'Di'].map((id, index): [string, Athlete] => [
  id,
  {
    id,
    side: 0,
    jersey: String(index),
    initial: '',
    full_name: id,
    user_id: id,
    order: index + 1,
    position: index + 1,
  },
])
const GAME = {
  visitor_name: 'Gulls',
  home_name: 'Comets',
  uses_dh: false,
  athletes: new Map(athletes),
} as unknown as Game

beforeEach(() => {
  HTMLElement.prototype.setPointerCapture = vi.fn()
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(function (this: HTMLElement) {
    const index = [...(this.parentElement?.children ?? [])].indexOf(this)
    return new DOMRect(0, index * ROW, 300, ROW)
  })
  render(
    <LineupForm
      game={GAME}
      roster={[]}
      check={{ warn: () => null, override: vi.fn() }}
      onSave={vi.fn()}
      onDone={vi.fn()}
    />,
  )
})

const names = () =>
  athletes
    .map(([id]) => screen.getByText(id))
    .sort(inPage)
    .map(({ textContent }) => textContent)
const inPage = (one: Node, other: Node) =>
  one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1

function drag(number: number, by: number, end: 'pointerUp' | 'pointerCancel' = 'pointerUp') {
  const handle = screen.getByTestId(`drag-Gulls-${number}`)
  const at = { pointerId: 1, button: 0, clientY: (number - 1) * ROW + ROW / 2 }
  fireEvent.pointerDown(handle, at)
  fireEvent.pointerMove(handle, { ...at, clientY: at.clientY + by / 2 })
  fireEvent.pointerMove(handle, { ...at, clientY: at.clientY + by })
  fireEvent[end](handle, at)
}

it('moves a player to the place where the row is dropped', () => {
  drag(1, 2 * ROW + 5)
  expect(names()).toEqual(['Bo', 'Cy', 'Ann', 'Di'])
  drag(4, -5 * ROW)
  expect(names()).toEqual(['Di', 'Bo', 'Cy', 'Ann'])
})

it('leaves the order alone if the row comes back, or the drag is cancelled', () => {
  drag(2, ROW / 3)
  drag(1, 2 * ROW, 'pointerCancel')
  expect(names()).toEqual(['Ann', 'Bo', 'Cy', 'Di'])
})

it('does the same by keyboard', async () => {
  screen.getByRole('button', { name: 'Gulls, player 3: up' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(names()).toEqual(['Ann', 'Cy', 'Bo', 'Di'])
})
