import { Outlet } from 'react-router'
import { useSession } from '@/lib/session'
import { PageSpinner } from '@/ui/spinner'
import { Later } from '@/app/later'
import { Shell, SignInToSee, VisitorFrame } from '@/app/parts'

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
      <VisitorFrame>
        <Outlet />
      </VisitorFrame>
    </Later>
  )
}

/** Screens for users; visitors read in place that they have to sign in. */
export function MembersOnly() {
  const { user } = useSession()
  return user ? <Outlet /> : <SignInToSee />
}
