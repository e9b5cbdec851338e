import { isRecord } from '@/lib/is-record'
import type { Notification } from '@/features/notifications/model'
import { changeNotifications } from '@/features/notifications/store'

/**
 * The ids of what has arrived, with whose they are. The server sends the notifications of the last days again at every join,
 * and to every tab; what was deleted must not come back.
 */
const SEEN_KEY = 'notifications-seen'
/** More than the server sends again. */
const SEEN_LIMIT = 100

const LOCK = 'dugout-notifications'

/** Adds a notification to the list, unless it has arrived before. Returns whether it is new. */
export async function receive(userId: string, notification: Omit<Notification, 'read'>): Promise<boolean> {
  // Two tabs get it at the same moment.
  return 'locks' in navigator
    ? navigator.locks.request(LOCK, () => take(userId, notification))
    : take(userId, notification)
}

function take(userId: string, notification: Omit<Notification, 'read'>): boolean {
  const seen = seenBy(userId)
  if (seen.includes(notification.id)) return false
  localStorage.setItem(SEEN_KEY, JSON.stringify({ userId, ids: [notification.id, ...seen].slice(0, SEEN_LIMIT) }))
  changeNotifications({ type: 'add', notification })
  return true
}

function seenBy(userId: string): string[] {
  try {
    const seen: unknown = JSON.parse(localStorage.getItem(SEEN_KEY) ?? 'null')
    if (!isRecord(seen) || seen.userId !== userId || !Array.isArray(seen.ids)) return []
    return seen.ids.filter((id) => typeof id === 'string')
  } catch {
    return []
  }
}
