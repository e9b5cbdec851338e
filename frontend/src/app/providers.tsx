import { lazy, Suspense, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { afterPaint } from '@/lib/after-paint'
import { SESSION_ENDED } from '@/lib/errors'
import { isScreen } from '@/lib/paths'
import { bringsSession, SessionProvider } from '@/lib/session'
import { hasStoredSession } from '@/lib/stored-session'
import { toast } from '@/ui/toast/toast-state'

const Toaster = lazy(async (): Promise<{ default: ComponentType }> => {
  try {
    const { Toaster } = await import('@/ui/toast/toaster')
    return { default: Toaster }
  } catch (error) {
    // The router's error screen does not cover this; a page without toasts is better than none.
    console.error('The toasts could not be loaded.', error)
    return { default: () => null }
  }
})

/** Visitors of the landing page: its first paint comes before the session check. All others: the check starts at once. */
const SESSION_WAITS =
  hasStoredSession() || bringsSession(window.location) || isScreen(window.location.pathname) ? undefined : afterPaint

export function Providers({ children }: { children: ReactNode }) {
  return (
    <SessionProvider after={SESSION_WAITS} onEnded={sayItEnded}>
      {children}
      <LateToaster />
    </SessionProvider>
  )
}

function sayItEnded() {
  toast({ title: 'You are signed out', description: SESSION_ENDED, variant: 'warning' })
}

/** Toasts are loaded after the first paint; earlier ones wait in the list. */
function LateToaster() {
  const [due, setDue] = useState(false)
  useEffect(() => void afterPaint().then(() => setDue(true)), [])
  if (!due) return null
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  )
}
