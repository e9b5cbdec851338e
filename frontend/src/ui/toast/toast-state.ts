/** The list of toasts, as the specification's sections 2 and 9 describe it. Pure but for `toast()` at the end. */

export const TOAST_LIMIT = 5
/** Milliseconds until an open toast closes by itself. */
export const TOAST_DURATION = 5000
/** The same for a toast with a button, which takes longer to read and to reach. */
export const TOAST_ACTION_DURATION = 8000
/** Milliseconds for which a dismissed toast is kept before it is removed. */
export const TOAST_REMOVE_DELAY = 5000
/** Pixels to the right after which a swipe dismisses. */
export const TOAST_SWIPE_THRESHOLD = 50
export const TOAST_HOTKEY = ['F8']
export const TOAST_AREA_LABEL = 'Notifications'

export type ToastVariant = 'default' | 'destructive' | 'success' | 'error' | 'warning' | 'info'

export type Toast = {
  id: string
  open: boolean
  title: string
  description?: string
  variant: ToastVariant
  button?: ToastButton
}

/** A button in a toast, such as "Undo". Pressing it also closes the toast. */
export type ToastButton = {
  label: string
  /** For screen readers: how to do the same, as they may reach the button too late. */
  otherwise: string
  onPress: () => void
}

export type ToastAction =
  | { type: 'add'; toast: Toast }
  | { type: 'update'; id: string; change: Partial<Omit<Toast, 'id' | 'open'>> }
  | { type: 'dismiss'; id: string }
  | { type: 'remove'; id: string }

export function toastReducer(toasts: readonly Toast[], action: ToastAction): readonly Toast[] {
  const change = (id: string, change: Partial<Toast>) =>
    toasts.map((toast) => (toast.id === id ? { ...toast, ...change } : toast))
  switch (action.type) {
    case 'add':
      return [action.toast, ...toasts].slice(0, TOAST_LIMIT)
    case 'update':
      return change(action.id, action.change)
    case 'dismiss':
      return change(action.id, { open: false })
    case 'remove':
      return toasts.filter((toast) => toast.id !== action.id)
  }
}

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function dispatch(action: ToastAction) {
  toasts = toastReducer(toasts, action)
  listeners.forEach((listener) => listener())
}

/** For `useSyncExternalStore`. */
export const toastStore = {
  subscribe: (listener: () => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  read: () => toasts,
}

/** Shows a toast from anywhere and returns its id. */
export function toast({
  variant = 'default',
  ...content
}: Omit<Toast, 'id' | 'open' | 'variant'> & { variant?: ToastVariant }) {
  lastId += 1
  const id = String(lastId)
  dispatch({ type: 'add', toast: { ...content, id, variant, open: true } })
  return id
}

export function updateToast(id: string, change: Partial<Omit<Toast, 'id' | 'open'>>) {
  dispatch({ type: 'update', id, change })
}

export function dismissToast(id: string) {
  dispatch({ type: 'dismiss', id })
  setTimeout(() => dispatch({ type: 'remove', id }), TOAST_REMOVE_DELAY)
}
