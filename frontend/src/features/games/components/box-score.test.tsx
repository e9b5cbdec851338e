import { screen, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import type { Batting, Game, Pitching } from '@/data/games/model'
import { BoxScore } from '@/features/games/components/box-score'
import { fake } from '@/testing/fake-supabase'
import { renderRoutes } from '@/testing/render-app'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

const athlete = (id: string, side: 0 | 1) => [id, { id, side, full_name: id, user_id: null, order: 1 }] as const
const GAME = {
  id: 'game',
  visitor_name: 'Gulls',
  home_name: 'Comets',
  home_bats_first: false,
  athletes: new Map([athlete('Ann', 0), athlete('Reyes', 1)]),
  batters: [
    { athlete_id: 'Ann', side: 0, ab: 2, r: 0, h: 1, rbi: 0, bb: 0, so: 1, positions: '' } as unknown as Batting,
  ],
  pitchers: [{ athlete_id: 'Reyes', side: 1, outs: 1, h: 1, r: 0, er: 0, bb: 0, so: 1 } as unknown as Pitching],
} as unknown as Game

const row = (id: string, event: string, result: string, outs: number) => ({
  id,
  record: `play,1,0,Ann,??,,${event}`,
  outcome: {
    ...{ inning: 1, batting: 0, batter: 'Ann', pitcher: 'Reyes', outs, runs: 0, score: [0, 0], bases: [], moves: [] },
    turn: { result, sacrificeHit: false, sacrificeFly: false, doublePlay: false },
  },
})

beforeEach(() => {
  fake.reset()
  fake.answers.plays = { data: [row('1', 'S7', 'single', 0), row('2', 'K', 'strikeout', 1)] }
})

const page = () => renderRoutes([{ path: '/', element: <BoxScore game={GAME} /> }])

it('opens what a number means and the plays behind it, by keyboard', async () => {
  const user = page()
  const hits = screen.getByRole('button', { name: '1 Hits, Ann' })
  hits.focus()
  await user.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Hits: 1' })
  expect(dialog.textContent).toContain('H = Singles + doubles + triples + home runs.')
  const plays = await within(dialog).findAllByRole('listitem')
  expect(plays.map(({ textContent }) => textContent)).toEqual(['Top 1Single to left. Ann'])
  await user.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(document.activeElement).toBe(hits)
})

it('has those of a team and of a pitcher', async () => {
  const user = page()
  await user.click(screen.getByRole('button', { name: '2 At bats, The whole team' }))
  expect(await screen.findAllByRole('listitem')).toHaveLength(2)
  await user.keyboard('{Escape}')
  await user.click(screen.getByRole('tab', { name: 'Comets' }))
  await user.click(screen.getByRole('button', { name: '0.1 Innings pitched, Reyes' }))
  expect((await screen.findByRole('listitem')).textContent).toBe('Top 1Strikeout. Ann')
})

it('says so if no play counts', async () => {
  const user = page()
  await user.click(screen.getByRole('button', { name: '0 Walks, Ann' }))
  expect(await screen.findByText('No play counts in it.')).toBeTruthy()
})

it('says so if the plays cannot be loaded', async () => {
  fake.answers.plays = { error: new Error('down') }
  const user = page()
  await user.click(screen.getByRole('button', { name: '1 Strikeouts, Ann' }))
  expect(await screen.findByText('The plays could not be loaded.', { exact: false })).toBeTruthy()
})
