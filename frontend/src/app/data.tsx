import { QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { queryClient } from '@/lib/query-client'
import { ReportContext, type ReportProps } from '@/lib/report'

const ReportButton = lazyScreen(() => import('@/features/reports/components/report-button'))

const report = (props: ReportProps) => <ReportButton {...props} />

/** What every screen but the landing page stands in; loaded when the first of them is opened. */
export default function Data({ children }: { children: ReactNode }) {
  return (
    <QueryClientProvider client={queryClient}>
      <ReportContext value={report}>{children}</ReportContext>
    </QueryClientProvider>
  )
}
