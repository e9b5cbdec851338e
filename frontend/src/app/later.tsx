import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { LoadBoundary } from '@/ui/load-boundary'
import { PageSpinner } from '@/ui/spinner'
import { Data } from '@/app/parts'

/** Wraps screens that are loaded on demand: a spinner until they have arrived, and the query client. */
export function Later({ children }: { children: ReactNode }) {
  return (
    <LoadBoundary place={useLocation().pathname}>
      <Suspense fallback={<PageSpinner />}>
        <Data>{children}</Data>
      </Suspense>
    </LoadBoundary>
  )
}
