import { beforeEach, expect, test, vi } from 'vitest'
import { recordPageView } from '@/data/activity/mutations'
import { queryClient } from '@/lib/query-client'
import { fake } from '@/testing/fake-supabase'

vi.mock('@/lib/supabase', async () => (await import('@/testing/fake-supabase')).fakeModule)

beforeEach(() => fake.reset())

// Specification section 4, "Sessions".
test('the first page view makes one view and one session, also when the effect runs twice', async () => {
  await Promise.all([recordPageView('ana', '/', 'first'), recordPageView('ana', '/', 'first')])
  const time = expect.any(String) as string
  expect(fake.calls).toEqual([
    ['page_views', 'insert', { user_id: 'ana', page_path: '/', viewed_at: time }],
    [
      'user_sessions',
      'insert',
      { user_id: 'ana', session_start: time, last_activity: time, device_type: 'Desktop', session_duration: 0 },
    ],
  ])
})

test('the next one continues the session', async () => {
  const now = new Date().toISOString()
  fake.answers.user_sessions = { data: { id: 's1', session_start: now, last_activity: now } }
  await recordPageView('ana', '/camps', 'second')
  expect(fake.calls.map(([table, method]) => `${String(method)} ${String(table)}`)).toEqual([
    'insert page_views',
    'update user_sessions',
  ])
})

test('a failure is logged and stops neither the page nor the next view', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  fake.answers.user_sessions = { error: new Error('down') }
  await recordPageView('ana', '/', 'third')
  expect(log).toHaveBeenCalledOnce()
  fake.reset()
  await recordPageView('ana', '/', 'fourth')
  expect(fake.calls).toHaveLength(2)
})

test('a failure reaches the handler that notices the end of a session', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const handler = vi.spyOn(queryClient.getMutationCache().config, 'onError')
  const error = Object.assign(new Error('JWT expired'), { code: 'PGRST303' })
  fake.answers.page_views = { error }
  await recordPageView('ana', '/', 'fifth')
  expect(handler.mock.calls.map(([first]) => first)).toEqual([error])
})
