import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import type { Game, GameRow } from '@/data/games/model'
import { gameQuery, useLiveGame } from '@/data/games/queries'

type Heard = (change: { new: Partial<GameRow> }) => void

const heard = vi.hoisted(() => ({ change: undefined as Heard | undefined }))

vi.mock('@/lib/supabase', () => {
  const channel = {
    on(_: string, __: object, change: Heard) {
      heard.change = change
      return this
    },
    subscribe: () => undefined,
  }
  return {
    supabase: {
      realtime: { setAuth: () => Promise.resolve() },
      channel: () => channel,
      removeChannel: () => Promise.resolve(),
    },
  }
})

const ROW = { id: 'g', revision: 4, status: 'live', pitches: 'BC', balls: 1, strikes: 1, place: 'Field 1' }

test.each([
  ['a pitch is shown', { pitches: 'BCB', balls: 2 }, 0, 2],
  ['a play loads the game', { revision: 5, pitches: '', balls: 0, strikes: 0 }, 1, 1],
  ['the end loads the game', { status: 'final' }, 1, 1],
  ['any other change loads the game', { place: 'Field 2' }, 1, 1],
])('%s', (_, change, loads, balls) => {
  const client = new QueryClient()
  const { queryKey } = gameQuery('g')
  client.setQueryData(queryKey, ROW as unknown as Game)
  const load = vi.spyOn(client, 'invalidateQueries').mockResolvedValue()
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  const { unmount } = renderHook(() => useLiveGame('g'), { wrapper })
  heard.change?.({ new: { ...ROW, ...change } })
  expect(load).toHaveBeenCalledTimes(loads)
  expect(client.getQueryData(queryKey)?.balls).toBe(balls)
  unmount()
})
