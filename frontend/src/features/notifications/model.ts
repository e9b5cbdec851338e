/** Section 3, "Notification (kept locally)". */
export type Notification = {
  id: string
  type: 'success' | 'error' | 'warning' | 'info'
  title: string
  description: string
  /** Milliseconds since 1970. */
  timestamp: number
  read: boolean
}

/** Section 9. */
export const NOTIFICATION_LIMIT = 50

export type NotificationAction =
  | { type: 'add'; notification: Omit<Notification, 'read'> }
  | { type: 'read'; id: string }
  | { type: 'read-all' }
  | { type: 'delete'; id: string }
  | { type: 'clear' }

/** Section 4, "Notifications": new ones unread on top, at most 50. */
export function notificationReducer(
  list: readonly Notification[],
  action: NotificationAction,
): readonly Notification[] {
  switch (action.type) {
    case 'add':
      return [{ ...action.notification, read: false }, ...list].slice(0, NOTIFICATION_LIMIT)
    case 'read':
      return list.map((item) => (item.id === action.id ? { ...item, read: true } : item))
    case 'read-all':
      return list.map((item) => ({ ...item, read: true }))
    case 'delete':
      return list.filter((item) => item.id !== action.id)
    case 'clear':
      return []
  }
}

/** The badge on the bell: nothing when all is read, 9+ above nine. */
export function unreadBadge(list: readonly Notification[]): string | null {
  const unread = list.filter((item) => !item.read).length
  if (unread === 0) return null
  return unread > 9 ? '9+' : String(unread)
}

/** "Just now", "5m ago", "3h ago", "2d ago". Both times in milliseconds since 1970. */
export function timeAgo(timestamp: number, now: number): string {
  const minutes = Math.floor((now - timestamp) / 60_000)
  if (minutes < 1) return 'Just now'
  if (minutes < 60) return `${minutes}m ago`
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? `${hours}h ago` : `${Math.floor(hours / 24)}d ago`
}

/** The stored notifications, or an empty list if they cannot be read. */
export function parseNotifications(text: string | null): readonly Notification[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(list) ? list.map(dated).filter(isNotification) : []
  } catch {
    return []
  }
}

/** A time may have been written as text, as `JSON.stringify` writes a Date. */
function dated(item: unknown): unknown {
  if (typeof item !== 'object' || item === null || !('timestamp' in item)) return item
  return typeof item.timestamp === 'string' ? { ...item, timestamp: Date.parse(item.timestamp) } : item
}

const TYPES: readonly unknown[] = ['success', 'error', 'warning', 'info'] satisfies Notification['type'][]

function isNotification(item: unknown): item is Notification {
  if (typeof item !== 'object' || item === null) return false
  const { id, type, title, description, timestamp, read } = item as Record<keyof Notification, unknown>
  return (
    [id, title, description].every((text) => typeof text === 'string') &&
    TYPES.includes(type) &&
    Number.isFinite(timestamp) &&
    typeof read === 'boolean'
  )
}
