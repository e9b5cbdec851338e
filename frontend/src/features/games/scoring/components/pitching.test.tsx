import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { Athlete, Game } from '@/data/games/model'
import { PitchStop } from '@/features/games/scoring/components/pitching'
import { Substitution } from '@/features/games/scoring/components/substitution'
import type { PitchWarning } from '@/features/games/scoring/pitch-limits'
import type { Standing } from '@/features/games/scoring/standing'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const WARNING: PitchWarning = { athlete: 'kid', rule: 'rest', text: 'Kit Osei rests until Tuesday, November 24.' }

it('stops the game until another pitcher is chosen or a reason is given', async () => {
  const user = userEvent.setup()
  const [change, goOn] = [vi.fn(), vi.fn<(text: string) => Promise<boolean>>(() => Promise.resolve(true))]
  render(<PitchStop warning={WARNING} onChange={change} onContinue={goOn} />)
  expect(screen.getByRole('alertdialog', { name: 'Rest is not over' })).toBeTruthy()
  // Enter must choose the safe action.
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change the pitcher' }))
  await user.click(screen.getByRole('button', { name: 'Continue anyway' }))
  expect(goOn).not.toHaveBeenCalled()
  expect(screen.getByRole('alert').textContent).toContain('Give a reason')
  expect(document.activeElement).toBe(screen.getByLabelText('Reason to continue'))
  await user.keyboard('Nobody else can pitch')
  await user.click(screen.getByRole('button', { name: 'Continue anyway' }))
  expect(goOn).toHaveBeenCalledWith('Nobody else can pitch')
})

it('stays stopped when the dialog is closed', async () => {
  const user = userEvent.setup()
  const change = vi.fn()
  render(<PitchStop warning={WARNING} onChange={change} onContinue={() => Promise.resolve(true)} />)
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(screen.getByText(WARNING.text)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Continue anyway' }))
  expect(screen.getByRole('alertdialog')).toBeTruthy()
  await user.keyboard('{Enter}')
  expect(change).toHaveBeenCalledOnce()
})

it('asks before a tired pitcher enters, and saves after a reason', async () => {
  const user = userEvent.setup()
  const athlete = (id: string, name: string, order: number | null) =>
    [
      id,
      { id, side: 1, jersey: null, initial: 'A', full_name: name, user_id: null, order, position: order } as Athlete,
    ] as const
  const athletes = new Map([athlete('ann', 'Ann Osei', 1), athlete('kid', 'Kit Osei', null)])
  const game = { visitor_name: 'Guests', home_name: 'Comets', athletes } as unknown as Game
  const slots = [new Map(), new Map([[1, { athlete: 'ann', position: 1 }]])] as const
  let warning: PitchWarning | null = WARNING
  const check = {
    warn: () => warning,
    override: vi.fn(() => {
      warning = null
      return Promise.resolve(true)
    }),
  }
  const onSub = vi.fn<(text: string) => Promise<boolean>>(() => Promise.resolve(true))
  render(
    <Substitution
      game={game}
      records={[]}
      wanted={null}
      now={{ batting: 0, slots } as unknown as Standing}
      check={check}
      onSub={onSub}
      onDone={vi.fn()}
    />,
  )
  await user.selectOptions(screen.getByLabelText('Place of'), '1')
  await user.selectOptions(screen.getByLabelText('Comes in'), 'kid')
  await user.click(screen.getByRole('button', { name: 'Save' }))
  expect(onSub).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Change the pitcher' }))
  expect(onSub).not.toHaveBeenCalled()
  await user.click(screen.getByRole('button', { name: 'Save' }))
  await user.type(screen.getByLabelText('Reason to continue'), 'Last game')
  await user.click(screen.getByRole('button', { name: 'Continue anyway' }))
  expect(check.override).toHaveBeenCalledWith(WARNING, 'Last game')
  expect(onSub).toHaveBeenCalledWith('sub,kid,"",1,1,1')
})
