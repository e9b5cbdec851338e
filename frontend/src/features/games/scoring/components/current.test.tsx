import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { GameArm } from '@/data/games/arms'
import type { Athlete, Game, GameRecord } from '@/data/games/model'
import { Current } from '@/features/games/scoring/components/current'
import { outcomeOf, recordOf } from '@/features/games/scoring/compose'
import { draftOf } from '@/features/games/scoring/likely'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import { standingOf } from '@/features/games/scoring/standing'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const athletes = new Map(
  ([0, 1] as const).flatMap((side) =>
    Array.from({ length: 9 }, (_, index): [string, Athlete] => {
      const id = `${side === 0 ? 'v' : 'h'}${index + 1}`
      const [order, position] = [index + 1, index === 8 ? 1 : index + 2]
      return [id, { id, side, jersey: null, initial: 'A', full_name: `Player ${id}`, user_id: null, order, position }]
    }),
  ),
)
const GAME = {
  played_on: '2026-11-23',
  innings: 3,
  home_bats_first: false,
  athletes,
  run_rule: null,
  extra_runner: null,
} as unknown as Game

/** A strikeout of three pitches. */
function records(): GameRecord[] {
  const now = standingOf(GAME, [])
  const draft = draftOf('strikeout', now.bases, now.outs)
  return [{ id: '1', record: recordOf(draft, now, 'CS'), outcome: outcomeOf(draft, now) }]
}

function page(arm: Partial<GameArm>, pitches = '') {
  const whole = { athlete_id: 'h9', day_limit: 85, youngest: 11, oldest: 12, thrown_today: 0, ready_on: null }
  const arms = [{ ...whole, rested_pitches: null, uncounted: false, ...arm }]
  const book = { override: vi.fn(() => Promise.resolve(true)) }
  const on = { onSub: vi.fn(), onEndHalf: vi.fn(), onFinish: vi.fn(), onDone: vi.fn(), onPitches: vi.fn() }
  render(
    <Current
      {...on}
      game={GAME}
      book={book as unknown as Scorebook}
      state={{ arms, overrides: [] } as unknown as BookState}
      records={records()}
      now={standingOf(GAME, records())}
      decided={false}
      pitches={pitches}
      latest={() => pitches}
    />,
  )
  return { book, ...on }
}

const canEnter = () => screen.queryByRole('button', { name: 'Ground out' }) !== null

it('counts the pitches beside the pitcher’s name', () => {
  page({ thrown_today: 59 })
  expect(screen.getByText(/62 of 85 pitches/)).toBeTruthy()
  expect(canEnter()).toBe(true)
})

it('warns when the limit is near', () => {
  page({ thrown_today: 72 })
  expect(screen.getByText('10 pitches left today')).toBeTruthy()
})

it('lets the pitcher finish the batter', () => {
  page({ thrown_today: 81 }, 'B')
  expect(screen.getByText('Last batter: the limit is reached')).toBeTruthy()
  expect(canEnter()).toBe(true)
})

it('stops the pitcher before the next batter, and opens the substitution', async () => {
  const { onSub } = page({ thrown_today: 82 })
  expect(canEnter()).toBe(false)
  const dialog = screen.getByRole('alertdialog')
  expect(dialog.textContent).toContain('Player h9 has reached 85 pitches, the limit for 11–12-year-olds on a day.')
  await userEvent.keyboard('{Enter}')
  expect(onSub).toHaveBeenCalledOnce()
})

it('keeps the reason with the pitcher and the rule; the game can be ended meanwhile', async () => {
  const { book, onFinish } = page({ thrown_today: 82 })
  await userEvent.type(screen.getByLabelText('Reason to continue'), ' One batter left ')
  await userEvent.click(screen.getByRole('button', { name: 'Continue anyway' }))
  expect(book.override).toHaveBeenCalledWith('h9', 'day_limit', 'One batter left')
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'End the game' }))
  expect(onFinish).toHaveBeenCalledOnce()
})
