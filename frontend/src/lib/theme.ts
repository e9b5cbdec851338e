import { useSyncExternalStore } from 'react'

export const THEMES = ['light', 'dark', 'system'] as const
export type Theme = (typeof THEMES)[number]

/** public/theme.js reads it, too, before anything is painted. */
const STORAGE_KEY = 'theme'

const listeners = new Set<() => void>()

function subscribe(listener: () => void) {
  listeners.add(listener)
  window.addEventListener('storage', showTheme)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', showTheme)
  }
}

const read = (): Theme => THEMES.find((theme) => theme === localStorage.getItem(STORAGE_KEY)) ?? 'system'

/** The theme chosen in this browser; the system's by default. */
export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, read)
}

export function chooseTheme(theme: Theme) {
  if (theme === 'system') localStorage.removeItem(STORAGE_KEY)
  else localStorage.setItem(STORAGE_KEY, theme)
  showTheme()
}

/** Shows what is chosen now: after a choice here or in another tab, and after the storage was emptied. */
export function showTheme() {
  const theme = read()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  listeners.forEach((listener) => listener())
}
