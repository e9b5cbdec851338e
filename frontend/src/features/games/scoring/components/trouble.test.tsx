import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { Game, GameRecord, Outcome } from '@/data/games/model'
import { TroubleNotice } from '@/features/games/scoring/components/trouble'
import type { BookState, Scorebook, Trouble } from '@/features/games/scoring/scorebook'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const athletes = new Map(['Ann', 'Bo'].map((id) => [id, { id, full_name: id }]))
const GAME = { athletes, home_bats_first: false } as unknown as Game

function play(id: string, batter: string, event: string, result: string): GameRecord {
  const turn = { result, sacrificeHit: false, sacrificeFly: false, doublePlay: false }
  const outcome = { inning: 2, batting: 0, batter, turn, outs: 0, moves: [], runs: 0 } as unknown as Outcome
  return { id, record: `play,2,0,${batter},??,,${event}`, outcome }
}

function page(trouble: Partial<Trouble>, state: Partial<BookState>) {
  const book = {
    settle: vi.fn(() => Promise.resolve()),
    insist: vi.fn(() => Promise.resolve()),
    discard: vi.fn(() => Promise.resolve()),
  }
  const whole = { code: '', message: '', play: null, resolution: '', ...trouble }
  render(
    <TroubleNotice
      book={book as unknown as Scorebook}
      state={{ saved: [], queued: [], rivals: [], ...state, trouble: whole } as unknown as BookState}
      game={GAME}
    />,
  )
  return book
}

const saved = [play('1', 'Ann', 'W', 'walk'), play('2', 'Bo', 'K', 'strikeout'), play('3', 'Ann', 'S7', 'single')]
const queued = [play('4', 'Bo', 'D8', 'double')]

it('shows both versions, and asks which to keep', async () => {
  const book = page({ code: 'CONFLICT', message: 'Compare.' }, { saved, queued, rivals: ['2', '3'] })
  const dialog = screen.getByRole('dialog', { name: 'Two phones scored this game' })
  const rows = within(dialog).getAllByRole('row').slice(1)
  expect(
    rows.map((row) =>
      within(row)
        .getAllByRole('cell')
        .map((cell) => cell.textContent),
    ),
  ).toEqual([
    ['Top 2Bo: Double to center.', 'Top 2Bo: Strikeout.'],
    ['Nothing', 'Top 2Ann: Single to left.'],
  ])
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Compare and decide' }))
  await userEvent.click(screen.getByRole('button', { name: 'Keep both, this phone’s last' }))
  expect(book.settle).toHaveBeenCalledWith('both')
})

it('shows a refused correction beside what is saved', () => {
  const correction = { ...play('5', 'Bo', 'HR', 'home_run'), replaces: '2' }
  page({ code: 'CONTRADICTION', message: 'no runner is there', play: '5' }, { saved, queued: [correction] })
  const terms = screen.getAllByRole('term').map((term) => term.parentElement?.textContent)
  expect(terms).toEqual(['On this phoneBo: Home run.', 'Saved at this placeBo: Strikeout.'])
})

it('asks for the reason to correct a final game', async () => {
  const book = page({ code: 'FINAL', message: 'This game is final.' }, { saved, queued })
  const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Correct the final game' })
  expect(button.disabled).toBe(true)
  await userEvent.type(screen.getByLabelText('Reason for the correction'), ' Wrong batter {Enter}')
  expect(book.insist).toHaveBeenCalledWith({ reason: 'Wrong batter' })
})
