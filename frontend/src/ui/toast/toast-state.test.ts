import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  dismissToast,
  toast,
  TOAST_LIMIT,
  TOAST_REMOVE_DELAY,
  toastReducer,
  toastStore,
  updateToast,
  type Toast,
} from '@/ui/toast/toast-state'

const make = (id: string): Toast => ({ id, title: id, variant: 'default', open: true })
const ids = (toasts: readonly Toast[]) => toasts.map(({ id }) => id)

// Specification section 4, "Toast": added, updated, dismissed, removed; section 9: at most 5, newest first.
describe('the list', () => {
  test('has the newest first and at most five', () => {
    const all = ['1', '2', '3', '4', '5', '6'].map(make)
    const list = all.reduce<readonly Toast[]>((list, toast) => toastReducer(list, { type: 'add', toast }), [])
    expect(ids(list)).toEqual(['6', '5', '4', '3', '2'])
    expect(list).toHaveLength(TOAST_LIMIT)
  })

  test('updates, dismisses and removes one', () => {
    const list = [make('b'), make('a')]
    expect(toastReducer(list, { type: 'update', id: 'a', change: { title: 'new' } })[1]?.title).toBe('new')
    expect(toastReducer(list, { type: 'dismiss', id: 'a' }).map(({ open }) => open)).toEqual([true, false])
    expect(ids(toastReducer(list, { type: 'remove', id: 'b' }))).toEqual(['a'])
  })
})

describe('a toast', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('stays for 5000 ms after it is dismissed, and then is gone', () => {
    const id = toast({ title: 'Safe!' })
    updateToast(id, { variant: 'success' })
    expect(toastStore.read()).toEqual([{ id, title: 'Safe!', variant: 'success', open: true }])
    dismissToast(id)
    vi.advanceTimersByTime(TOAST_REMOVE_DELAY - 1)
    expect(toastStore.read()).toMatchObject([{ id, open: false }])
    vi.advanceTimersByTime(1)
    expect(toastStore.read()).toEqual([])
  })
})
