import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { LoadBoundary } from '@/ui/load-boundary'
import { PageSpinner } from '@/ui/spinner'
import { Data } from '@/app/parts'

/** Around screens that come by a request of their own: the spinner until they are here, and the data behind them. */
export function Later({ children }: { children: ReactNode }) {
  return (
    <LoadBoundary place={useLocation().pathname}>
      <Suspense fallback={<PageSpinner />}>
        <Data>{children}</Data>
      </Suspense>
    </LoadBoundary>
  )
}
