import { lazy, Suspense } from 'react'
import { Link, Outlet, useMatches } from 'react-router'
import { Footer } from '@/features/landing/components/footer'
import { TopBar } from '@/features/landing/components/top-bar'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { DiamondArt } from '@/ui/diamond-art'
import { MAIN_ID, SkipLink } from '@/ui/skip-link'
import { PageSpinner } from '@/ui/spinner'
import { Later } from '@/app/later'

const Shell = lazy(() => import('@/app/shell/shell'))

/** Puts the shell around what signed-in users see, and nothing around what visitors see. */
export function SignedInLayout() {
  const { user } = useSession()
  if (!user) return <Outlet />
  return (
    <Later>
      <Shell user={user}>
        <Outlet />
      </Shell>
    </Later>
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
    <Later>
      <div className="flex min-h-dvh flex-col print:min-h-0">
        <SkipLink />
        <TopBar />
        <main
          id={MAIN_ID}
          className="mx-auto w-full max-w-6xl grow px-5 pt-24 pb-12 outline-none print:max-w-none print:p-0"
        >
          <Suspense fallback={<PageSpinner />}>
            <Outlet />
          </Suspense>
        </main>
        <Footer />
      </div>
    </Later>
  )
}

/** Screens for users: visitors are told so in place. */
export function MembersOnly() {
  const { user } = useSession()
  return user ? <Outlet /> : <SignInToSee />
}

function SignInToSee() {
  const title = useMatches().reduce((found, { handle }) => titleOf(handle) ?? found, 'Dugout')
  usePageTitle(title)
  return (
    <section className="relative grid min-h-[60dvh] place-items-center overflow-hidden text-center">
      <DiamondArt className="absolute size-[32rem] max-w-full text-border" />
      <div className="relative grid justify-items-center gap-4">
        <h1 className="text-4xl font-bold tracking-tight">{title}</h1>
        <p className="text-muted-foreground">Sign in to see this</p>
        <Button asChild>
          <Link to={paths.signIn}>Sign In</Link>
        </Button>
      </div>
    </section>
  )
}

/** The title that a route names in its `handle`. */
function titleOf(handle: unknown): string | undefined {
  const title: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'title') : undefined
  return typeof title === 'string' ? title : undefined
}
