import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { queryClient } from '@/lib/query-client'
import type { Prefetch, Visit } from '@/lib/prefetch'
import { ReportContext, type ReportProps } from '@/lib/report'

const ReportButton = lazyScreen(() => import('@/features/reports/components/report-button'))

const report = (props: ReportProps) => <ReportButton {...props} />

/** The context of every screen but the landing page; loaded with the first of them. */
export default function Data({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ReportContext value={report}>{children}</ReportContext>
    </QueryClientProvider>
  )
}

/** Starts the first queries of a part of the app. */
export function prefetchFor(part: { prefetch?: Prefetch }, visit: Visit) {
  part.prefetch?.((options) => {
    const answer = queryClient.query(options)
    answer.catch(() => undefined)
    return answer
  }, visit)
}
