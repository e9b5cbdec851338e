import type { Session, User } from '@supabase/supabase-js'
import { createContext, use, useCallback, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { statusOf } from '@/lib/errors'
import { isUnexpired, storedSession } from '@/lib/stored-session'
import { showTheme } from '@/lib/theme'

/** Section 9: milliseconds after which the page no longer waits for the session check. */
export const LOADING_TIMEOUT = 300

/** Milliseconds for which a sign-out waits for the server, so that it cannot hang. */
export const SIGN_OUT_PATIENCE = 5000

/** Section 4: statuses of a sign-out that mean the session has ended already. */
const GONE = [401, 403, 404]

type SessionState = {
  /** The session; the stored one while the library restores it, which is slow on a slow line. */
  session: Session | null
  user: User | null
  /** True until the first session check is done, and for at most `LOADING_TIMEOUT`. */
  loading: boolean
  /** Signs out and empties the browser's storage. Never fails: errors are logged. */
  signOut: () => Promise<void>
}

const SessionContext = createContext<SessionState | null>(null)

/** Loaded apart from the landing page, which does not need them. */
async function loadClients() {
  const [{ supabase }, { queryClient }, { forgetOthers }] = await Promise.all([
    import('@/lib/supabase'),
    import('@/lib/query-client'),
    import('@/lib/owned-storage'),
  ])
  return { supabase, queryClient, forgetOthers }
}

type SessionProviderProps = {
  /** What the session check waits for. */
  after?: () => Promise<void>
  /** Called when a session ends without a sign-out in this tab. */
  onEnded?: () => void
  children: ReactNode
}

export function SessionProvider({ after, onEnded, children }: SessionProviderProps) {
  const [known, setKnown] = useState<Session | null>(null)
  const [stored, setStored] = useState(storedSession)
  // The check of a stored session that has not expired makes no request: its result is known.
  const [loading, setLoading] = useState(() => !isUnexpired(stored))
  const leaving = useRef(false)

  useEffect(() => {
    const timer = setTimeout(() => setLoading(false), LOADING_TIMEOUT)
    let unsubscribe: (() => void) | null = null
    let left = false
    async function listen() {
      await after?.()
      const { supabase, queryClient, forgetOthers } = await loadClients()
      if (left) return
      // The first event is INITIAL_SESSION: the check of what is stored, refreshed if it had expired.
      const { data } = supabase.auth.onAuthStateChange((event, session) => {
        setKnown(session)
        // Without an answer from the server the library reports no session, but keeps the stored one.
        setStored(event === 'INITIAL_SESSION' && !session ? storedSession() : null)
        setLoading(false)
        if (session) forgetOthers(session.user.id)
        if (event !== 'SIGNED_OUT') return
        queryClient.clear()
        if (!leaving.current) onEnded?.()
      })
      // Restores what could not be refreshed without a connection.
      const retry = () => void supabase.auth.getSession()
      window.addEventListener('online', retry)
      unsubscribe = () => {
        data.subscription.unsubscribe()
        window.removeEventListener('online', retry)
      }
    }
    listen().catch((error: unknown) => console.error('The session could not be looked up.', error))
    return () => {
      left = true
      clearTimeout(timer)
      unsubscribe?.()
    }
  }, [after, onEnded])

  const signOut = useCallback(async () => {
    leaving.current = true
    const { supabase, queryClient } = await loadClients()
    try {
      const { error } = await inTime(supabase.auth.signOut(), SIGN_OUT_PATIENCE)
      if (error && !GONE.includes(statusOf(error) ?? 0)) throw error
    } catch (error) {
      console.error('Signing out failed; going on regardless.', error)
    }
    localStorage.clear()
    sessionStorage.clear()
    showTheme()
    queryClient.clear()
    leaving.current = false
    // A failed sign-out sends no SIGNED_OUT event.
    setKnown(null)
    setStored(null)
  }, [])

  // Section 4: a spinner for at most 300 ms, then the signed-in screens, even if the check is still running.
  const session = known ?? (loading ? null : stored)
  const state = useMemo(() => ({ session, user: session?.user ?? null, loading, signOut }), [session, loading, signOut])
  return <SessionContext value={state}>{children}</SessionContext>
}

/** The result of `work`, or an error after `patience` milliseconds. */
async function inTime<T>(work: Promise<T>, patience: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`There was no answer within ${patience} ms.`)), patience)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

export function useSession(): SessionState {
  const state = use(SessionContext)
  if (!state) throw new Error('useSession is called outside of SessionProvider.')
  return state
}

/** Whether the address contains a session: after a mailed link or a provider's redirect. */
export function bringsSession({ search, hash }: Pick<Location, 'search' | 'hash'>): boolean {
  return new URLSearchParams(hash.slice(1)).has('access_token') || new URLSearchParams(search).has('code')
}
