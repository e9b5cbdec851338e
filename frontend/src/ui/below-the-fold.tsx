import { useDeferredValue, type ReactNode } from 'react'
import { NavigationType, useLocation, useNavigationType } from 'react-router'

/**
 * Renders its children right after the first paint, in small steps, so that a slow phone shows the top of the screen sooner.
 * When the browser goes back they are rendered at once, because the scroll position is restored then.
 */
export function BelowTheFold({ children }: { children: ReactNode }) {
  const { key } = useLocation()
  // React Router's key of the first entry; going back to it renders in steps, too.
  const goesBack = useNavigationType() === NavigationType.Pop && key !== 'default'
  return useDeferredValue(true, goesBack) ? children : null
}
