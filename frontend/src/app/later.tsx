import { lazy, Suspense, type ReactNode } from 'react'
import { PageSpinner } from '@/ui/spinner'

const Data = lazy(() => import('@/app/data'))

/** Around screens that come by a request of their own: the spinner until they are here, and the data behind them. */
export function Later({ children }: { children: ReactNode }) {
  return (
    <Suspense fallback={<PageSpinner />}>
      <Data>{children}</Data>
    </Suspense>
  )
}
