import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listen } from '@/data/notifications/channel'

type Told = (status: string, error?: Error) => void
type Heard = (message: { payload?: unknown }) => void

/** The channels that were asked for, and what the library would say on them. */
const made: { topic: string; options: unknown; tell: Told; hear: Heard }[] = []
const setAuth = vi.hoisted(() => vi.fn(() => Promise.resolve()))
const removeChannel = vi.hoisted(() => vi.fn(() => Promise.resolve('ok')))

vi.mock('@/lib/supabase', () => ({
  supabase: {
    realtime: { setAuth },
    removeChannel,
    channel(topic: string, options: unknown) {
      const own = { topic, options, tell: (() => undefined) as Told, hear: (() => undefined) as Heard }
      made.push(own)
      const channel = {
        on(_: string, __: unknown, hear: Heard) {
          own.hear = hear
          return channel
        },
        subscribe(tell: Told) {
          own.tell = tell
          return channel
        },
      }
      return channel
    },
  },
}))

const onNotification = vi.fn()
const onJoined = vi.fn()
const onRefused = vi.fn()
let stop: () => void

beforeEach(async () => {
  vi.useFakeTimers()
  made.length = 0
  vi.clearAllMocks()
  stop = listen('ana', { onNotification, onJoined, onRefused })
  await vi.advanceTimersByTimeAsync(0)
})
afterEach(() => {
  stop()
  vi.useRealTimers()
})

test('it joins the private channel of the user, with the token of now, and asks for the last three days', () => {
  expect(setAuth).toHaveBeenCalledOnce()
  expect(made).toHaveLength(1)
  const replay = { since: Date.now() - 72 * 60 * 60 * 1000, limit: 25 }
  expect(made[0]).toMatchObject({ topic: 'user:ana', options: { config: { private: true, broadcast: { replay } } } })
  made[0]?.tell('SUBSCRIBED')
  made[0]?.hear({ payload: { id: '1' } })
  expect(onJoined.mock.calls).toEqual([[true]])
  expect(onNotification.mock.calls).toEqual([[{ id: '1' }]])
})

test('after an error the library tries again itself, with a new token', () => {
  made[0]?.tell('CHANNEL_ERROR', new Error('InvalidJWTToken: Token has expired 3 seconds ago'))
  expect(onJoined.mock.calls).toEqual([[false]])
  expect(setAuth).toHaveBeenCalledTimes(2)
  expect(removeChannel).not.toHaveBeenCalled()
})

test('a channel that the server has closed is joined anew, after growing pauses', async () => {
  made[0]?.tell('CLOSED')
  expect(removeChannel).not.toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(999)
  expect(made).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(made).toHaveLength(2)
  // What the old one says is no longer of interest.
  made[0]?.tell('CLOSED')
  made[1]?.tell('CLOSED')
  await vi.advanceTimersByTimeAsync(1999)
  expect(made).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(made).toHaveLength(3)
  made[2]?.tell('SUBSCRIBED')
  made[2]?.tell('CLOSED')
  await vi.advanceTimersByTimeAsync(1000)
  expect(made).toHaveLength(4)
})

test('nobody who may not read tries again', async () => {
  made[0]?.tell('SUBSCRIBED')
  made[0]?.tell('CHANNEL_ERROR', new Error('Unauthorized: You do not have permissions to read'))
  // Not lost: nothing is going to reconnect.
  expect(onJoined.mock.calls).toEqual([[true]])
  expect(onRefused).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(removeChannel).toHaveBeenCalledOnce()
  expect(made).toHaveLength(1)
})

test('once stopped it says nothing more, and joins nothing', async () => {
  stop()
  made[0]?.tell('CLOSED')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onJoined).not.toHaveBeenCalled()
  expect(made).toHaveLength(1)
})
