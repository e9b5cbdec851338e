import { useEffect, useSyncExternalStore } from 'react'

const NAME = 'Dugout'

let shown = ''
const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Names the page in the browser's tab and for screen readers: "Rankings · Dugout", or the name alone. */
export function usePageTitle(title = '') {
  useEffect(() => {
    document.title = title ? `${title} · ${NAME}` : NAME
    shown = title
    listeners.forEach((listener) => listener())
  }, [title])
}

/** The title of the screen that is shown, for the bar of phones. */
export const useShownTitle = (): string => useSyncExternalStore(subscribe, () => shown)
