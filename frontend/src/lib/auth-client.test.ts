import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** Rules of sections 5 and 9 that auth-js keeps for us: an update that breaks one of them is noticed here. */
function client(answer: () => Promise<Response>) {
  const { auth } = createClient('http://backend.test', 'anon', {
    auth: { autoRefreshToken: false, persistSession: false },
    global: { fetch: answer },
  })
  return auth
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('specification 5: a one-time passcode needs an email or phone', async () => {
  const fetched = vi.fn<() => Promise<Response>>()
  // @ts-expect-error: who has no types finds out from the answer
  const { error } = await client(fetched).signInWithOtp({})
  expect(error?.message).toBe('You must provide either an email or phone number.')
  expect(fetched).not.toHaveBeenCalled()
})

test('specification 9: a refresh is tried again after 200 ms, and after twice as long each time', async () => {
  const times: number[] = []
  const started = Date.now()
  const auth = client(() => {
    times.push(Date.now() - started)
    return Promise.reject(new TypeError('Failed to fetch'))
  })
  vi.spyOn(console, 'error').mockReturnValue()
  const refreshing = auth.refreshSession({ refresh_token: 'token' })
  await vi.advanceTimersByTimeAsync(3500)
  expect(times.slice(0, 5)).toEqual([0, 200, 600, 1400, 3000])
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await refreshing).error).not.toBeNull()
})
