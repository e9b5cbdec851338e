import { useMemo, useSyncExternalStore } from 'react'
import {
  notificationReducer,
  parseNotifications,
  type Notification,
  type NotificationAction,
} from '@/features/notifications/model'

/** The list lives in local storage alone, so that emptying that at logout empties it, and other tabs see it too. */
const STORAGE_KEY = 'notifications'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

const read = () => localStorage.getItem(STORAGE_KEY)

export function useNotifications(): readonly Notification[] {
  const text = useSyncExternalStore(subscribe, read)
  return useMemo(() => parseNotifications(text), [text])
}

export function changeNotifications(action: NotificationAction) {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(notificationReducer(parseNotifications(read()), action)))
  listeners.forEach((listener) => listener())
}

export function notify(content: Pick<Notification, 'type' | 'title' | 'description'>) {
  // Not a UUID: the browser makes those on secure origins only.
  const id = `${Date.now()}-${Math.random().toString(36).slice(2)}`
  changeNotifications({ type: 'add', notification: { ...content, id, timestamp: Date.now() } })
}
