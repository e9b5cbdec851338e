import { beforeEach, expect, test, vi } from 'vitest'
import { sendOverride } from '@/data/games/overrides'
import { queryClient } from '@/lib/query-client'
import { fake } from '@/testing/fake-supabase'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

beforeEach(() => fake.reset())

test('a failure reaches the scorebook, and the handler that notices the end of a session', async () => {
  const handler = vi.spyOn(queryClient.getMutationCache().config, 'onError')
  const error = Object.assign(new Error('JWT expired'), { code: 'PGRST303' })
  fake.answers.override_pitch_limit = { error }
  const override = { id: 'one', athlete: 'kid', rule: 'rest', reason: 'Nobody else', sent: false } as const
  await expect(sendOverride('game', override)).rejects.toBe(error)
  expect(handler.mock.calls.map(([first]) => first)).toEqual([error])
})
