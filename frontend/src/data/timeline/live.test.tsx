import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { useLiveTimeline } from '@/data/timeline/live'
import type { Post } from '@/data/timeline/model'
import { ownTeamsQuery } from '@/data/timeline/queries'

type Channel = { topic: string; options: unknown; tell: (status: string) => void; hear: (message: unknown) => void }

/** The channels that were asked for, and what the library would say on them. */
const made: Channel[] = []
const removeChannel = vi.hoisted(() => vi.fn(() => Promise.resolve('ok')))
const rpc = vi.hoisted(() =>
  vi.fn((_: string, { only_id }: { only_id: string }) =>
    Promise.resolve({ data: [{ id: only_id, author_id: 'bob' } as Post], error: null }),
  ),
)

vi.mock('@/lib/supabase', () => ({
  unwrap: ({ data }: { data: unknown }) => data,
  supabase: {
    rpc,
    realtime: { setAuth: () => Promise.resolve() },
    removeChannel,
    channel(topic: string, options: unknown) {
      const own: Channel = { topic, options, tell: () => undefined, hear: () => undefined }
      made.push(own)
      const channel = {
        on(_: string, __: unknown, hear: Channel['hear']) {
          own.hear = hear
          return channel
        },
        subscribe(tell: Channel['tell']) {
          own.tell = tell
        },
      }
      return channel
    },
  },
}))

let client: QueryClient
function show(teams: string[]) {
  client = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  client.setQueryData(ownTeamsQuery('ana').queryKey, teams)
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={client}>{children}</QueryClientProvider>
  )
  return renderHook(() => useLiveTimeline('ana'), { wrapper })
}

beforeEach(() => {
  vi.useFakeTimers()
  made.length = 0
  vi.clearAllMocks()
})
afterEach(() => {
  vi.useRealTimers()
})

test('the timeline and the channels of the own teams are joined, and left', async () => {
  const { unmount } = show(['owls', 'jays'])
  await act(() => vi.advanceTimersByTimeAsync(0))
  expect(made.map(({ topic }) => topic)).toEqual(['timeline', 'timeline:owls', 'timeline:jays'])
  expect(made.every(({ options }) => JSON.stringify(options) === '{"config":{"private":true}}')).toBe(true)
  unmount()
  await vi.advanceTimersByTimeAsync(0)
  expect(removeChannel).toHaveBeenCalledTimes(3)
})

test('a post to a team arrives by its channel', async () => {
  const { result } = show(['owls'])
  await act(() => vi.advanceTimersByTimeAsync(0))
  made[1]?.hear({ payload: { id: 'p' } })
  await act(() => vi.advanceTimersByTimeAsync(1500))
  expect(rpc).toHaveBeenCalledWith('timeline', { only_id: 'p' })
  expect(result.current.waiting.map(({ id }) => id)).toEqual(['p'])
})

test('channels that are joined again together load the lists once', async () => {
  show(['owls', 'jays'])
  const reload = vi.spyOn(client, 'invalidateQueries')
  await act(() => vi.advanceTimersByTimeAsync(0))
  made.forEach(({ tell }) => tell('SUBSCRIBED'))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(reload).not.toHaveBeenCalled()
  made.forEach(({ tell }) => tell('SUBSCRIBED'))
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(reload).toHaveBeenCalledTimes(1)
})
