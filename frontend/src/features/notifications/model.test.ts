import { describe, expect, test } from 'vitest'
import {
  NOTIFICATION_LIMIT,
  notificationReducer,
  parseNotifications,
  timeAgo,
  unreadBadge,
  type Notification,
} from '@/features/notifications/model'

const item = (id: string, read = false): Notification => ({ ...fresh(id), read })
const fresh = (id: string) => ({ id, type: 'info' as const, title: id, description: '', timestamp: 0 })
const ids = (list: readonly Notification[]) => list.map(({ id }) => id)

// Specification section 4, "Notifications", and section 9: the cap of 50.
describe('the list', () => {
  test('takes new ones unread at the top and keeps fifty', () => {
    const full = Array.from({ length: NOTIFICATION_LIMIT }, (_, index) => item(`old-${index}`, true))
    const list = notificationReducer(full, { type: 'add', notification: fresh('new') })
    expect(list).toHaveLength(NOTIFICATION_LIMIT)
    expect(list[0]).toEqual(item('new'))
    expect(ids(list)).not.toContain('old-49')
  })

  test('marks one, marks all, deletes one, clears', () => {
    const list = [item('a'), item('b')]
    expect(notificationReducer(list, { type: 'read', id: 'b' }).map(({ read }) => read)).toEqual([false, true])
    expect(notificationReducer(list, { type: 'read-all' }).every(({ read }) => read)).toBe(true)
    expect(ids(notificationReducer(list, { type: 'delete', id: 'a' }))).toEqual(['b'])
    expect(notificationReducer(list, { type: 'clear' })).toEqual([])
  })
})

// Section 2, "Notifications panel".
test.each([
  [0, null],
  [1, '1'],
  [9, '9'],
  [10, '9+'],
])('%i unread are shown as %s', (unread, badge) => {
  expect(unreadBadge([item('read', true), ...Array.from({ length: unread }, (_, index) => item(String(index)))])).toBe(
    badge,
  )
})

const MINUTE = 60_000
test.each([
  [0, 'Just now'],
  [MINUTE - 1, 'Just now'],
  [MINUTE, '1m ago'],
  [60 * MINUTE - 1, '59m ago'],
  [60 * MINUTE, '1h ago'],
  [24 * 60 * MINUTE - 1, '23h ago'],
  [49 * 60 * MINUTE, '2d ago'],
])('%i ms later it reads %s', (later, words) => {
  expect(timeAgo(1_000_000, 1_000_000 + later)).toBe(words)
})

test('a stored time may be text', () => {
  const [read] = parseNotifications(JSON.stringify([{ ...item('a'), timestamp: '2026-05-01T12:00:00.000Z' }]))
  expect(read?.timestamp).toBe(Date.UTC(2026, 4, 1, 12))
})

test('what was stored is read again', () => {
  expect(parseNotifications(JSON.stringify([item('a')]))).toEqual([item('a')])
})

test.each([[null], ['nonsense'], ['{}'], ['[1, null, {"id": 5}]']])('%s in the storage is an empty list', (text) => {
  expect(parseNotifications(text)).toEqual([])
})
