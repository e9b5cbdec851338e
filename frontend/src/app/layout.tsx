import { Outlet } from 'react-router'
import { useSession } from '@/lib/session'
import { PageSpinner } from '@/ui/spinner'
import { Later } from '@/app/later'
import { Shell, SignInToSee, VisitorFrame } from '@/app/parts'

/** Wraps the screens of signed-in users in the shell. */
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
 * The landing page's bar and footer, for visitors of a screen that signed-in users see in the shell.
 * There is no redirect: section 2 specifies only that of /signin.
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

/** Screens for users; visitors see a message to sign in. */
export function MembersOnly() {
  const { user } = useSession()
  return user ? <Outlet /> : <SignInToSee />
}
