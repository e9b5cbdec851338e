import { lazy, Suspense } from 'react'
import { Outlet } from 'react-router'
import { Footer } from '@/features/landing/components/footer'
import { TopBar } from '@/features/landing/components/top-bar'
import { useSession } from '@/lib/session'
import { PageSpinner } from '@/ui/spinner'

const Shell = lazy(() => import('@/app/shell/shell'))

/** Puts the shell around what signed-in users see, and nothing around what visitors see. */
export function SignedInLayout() {
  const { user } = useSession()
  if (!user) return <Outlet />
  return (
    <Suspense fallback={<PageSpinner />}>
      <Shell user={user}>
        <Outlet />
      </Shell>
    </Suspense>
  )
}

/**
 * The landing page's bar and footer, for visitors of a screen that usually stands in the shell.
 * Nobody is sent away from here: section 2 knows only the redirect of /signin.
 */
export function VisitorLayout() {
  const { user, loading } = useSession()
  if (loading) return <PageSpinner />
  if (user) return <Outlet />
  return (
    <div className="flex min-h-dvh flex-col">
      <TopBar />
      <main className="mx-auto w-full max-w-6xl grow px-5 pt-24 pb-10">
        <Suspense fallback={<PageSpinner />}>
          <Outlet />
        </Suspense>
      </main>
      <Footer />
    </div>
  )
}
