import { Suspense, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Footer } from '@/features/landing/components/footer'
import { TopBar } from '@/features/landing/components/top-bar'
import { LoadBoundary } from '@/ui/load-boundary'
import { MAIN_ID, SkipLink } from '@/ui/skip-link'
import { PageSpinner } from '@/ui/spinner'

/** The landing page's bar and footer around another screen. */
export default function VisitorFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation()
  return (
    <div className="flex min-h-dvh flex-col print:min-h-0">
      <SkipLink />
      <TopBar />
      <main
        id={MAIN_ID}
        // The footer begins below the fold, so that it does not shift when the content arrives.
        className="mx-auto min-h-dvh w-full max-w-6xl grow px-5 pt-24 pb-12 outline-none print:min-h-0 print:max-w-none print:p-0"
      >
        <LoadBoundary place={pathname}>
          <Suspense fallback={<PageSpinner />}>{children}</Suspense>
        </LoadBoundary>
      </main>
      <Footer />
    </div>
  )
}
