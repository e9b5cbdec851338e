import { expect, test } from 'vitest'
import { NOTIFICATION_LIMIT, parseNotifications } from '@/features/notifications/model'
import { receive } from '@/features/notifications/received'
import { changeNotifications } from '@/features/notifications/store'
import { worded } from '@/features/notifications/words'

const item = (id: string) => ({ id, type: 'info' as const, title: id, description: '', timestamp: 1 })
const kept = () => parseNotifications(localStorage.getItem('notifications')).map(({ id }) => id)

test('what is sent again is not shown again, not even when it was deleted', async () => {
  expect(await receive('ana', item('a'))).toBe(true)
  expect(await receive('ana', item('b'))).toBe(true)
  changeNotifications({ type: 'delete', id: 'a' })
  expect(await receive('ana', item('a'))).toBe(false)
  expect(await receive('ana', item('b'))).toBe(false)
  expect(kept()).toEqual(['b'])
})

test('more is remembered than the server sends again, but not everything', async () => {
  for (let count = 0; count < 120; count++) await receive('ana', item(String(count)))
  expect(kept()).toHaveLength(NOTIFICATION_LIMIT)
  expect(await receive('ana', item('20'))).toBe(false)
  expect(await receive('ana', item('19'))).toBe(true)
})

test('somebody else in the same browser has seen nothing', async () => {
  await receive('ana', item('a'))
  expect(await receive('bo', item('a'))).toBe(true)
})

test.each(['nonsense', '[]', '{"userId":"ana","ids":5}', '{"userId":"ana","ids":[5]}'])(
  '%s in the storage is nothing seen',
  async (text) => {
    localStorage.setItem('notifications-seen', text)
    expect(await receive('ana', item('a'))).toBe(true)
  },
)

test('a notification is worded, with its own id and time', () => {
  expect(worded({ id: 'm1', kind: 'team_invited', at: 1000, team: 'Owls' })).toEqual({
    notification: {
      id: 'm1',
      type: 'info',
      title: 'Team invitation',
      description: 'Owls invites you.',
      timestamp: 1000,
    },
    outdated: ['teams', 'minors', 'home'],
  })
  expect(worded({ id: 'm1', kind: 'team_invited' })?.notification.description).toBe('A team invites you.')
})

test.each([
  [null],
  ['text'],
  [{}],
  [{ id: 'm', kind: 'unheard of' }],
  [{ id: 'm', kind: 'toString' }],
  [{ kind: 'followed' }],
])('%j is not shown', (payload) => {
  expect(worded(payload)).toBeNull()
})
