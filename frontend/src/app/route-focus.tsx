import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { focusMain } from '@/ui/skip-link'

/** Milliseconds for which a screen may take to appear and still be given the focus. */
const PATIENCE = 3000

/** Moves the focus to the new screen when the route changes, so that keyboard and screen reader go on from there. */
export function RouteFocus() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const started = performance.now()
    let frame = 0
    function attempt() {
      if (!focusMain() && performance.now() - started < PATIENCE) frame = requestAnimationFrame(attempt)
    }
    frame = requestAnimationFrame(attempt)
    return () => cancelAnimationFrame(frame)
  }, [pathname])
  return null
}
