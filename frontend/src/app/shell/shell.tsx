import { useQuery } from '@tanstack/react-query'
import { Menu } from 'lucide-react'
import { Suspense, useEffect, useRef, useState, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { recordPageView } from '@/features/activity/mutations'
import { SuspensionNotice } from '@/features/home/components/suspension-notice'
import { NotificationBell } from '@/features/notifications/components/notification-bell'
import { hasShownSecondFactor } from '@/lib/assurance'
import { visibilityQuery } from '@/lib/minors'
import { paths } from '@/lib/paths'
import { roleQuery } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { LoadBoundary } from '@/ui/load-boundary'
import { Logo } from '@/ui/logo'
import { MAIN_ID, SkipLink } from '@/ui/skip-link'
import { PageSpinner } from '@/ui/spinner'
import { Enrolment } from '@/app/shell/enrolment'
import { Drawer } from '@/app/shell/drawer'
import { LogoutDialog } from '@/app/shell/logout-dialog'

/** Of a child whom no guardian has accepted, and of the suspended, the database keeps no page views. */
const UNRECORDED = ['guardian_missing', 'suspended']

/** What stands around every signed-in screen: the navigation bar, the drawer behind it, and the way out. */
export default function Shell({ user, children }: { user: { id: string; email?: string }; children: ReactNode }) {
  const menuButton = useRef<HTMLButtonElement>(null)
  const [menuOpen, setMenuOpen] = useState(false)
  const [logoutOpen, setLogoutOpen] = useState(false)
  const { pathname, key } = useLocation()

  const { data: visibility, isFetched } = useQuery(visibilityQuery(user.id))
  const { session } = useSession()
  const { data: role } = useQuery(roleQuery(user.id))
  const recorded = isFetched && !UNRECORDED.includes(visibility ?? '')

  useEffect(() => {
    if (recorded) void recordPageView(user.id, pathname, key)
  }, [recorded, user.id, pathname, key])

  if (role === 'admin' && !hasShownSecondFactor(session)) return <Enrolment user={user} />
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-30 border-b border-border bg-card/95 backdrop-blur print:hidden">
        <nav aria-label="Main" className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4">
          <Button
            ref={menuButton}
            variant="ghost"
            size="icon"
            aria-label="Open menu"
            aria-haspopup="dialog"
            aria-expanded={menuOpen}
            onClick={() => setMenuOpen(true)}
          >
            <Menu aria-hidden />
          </Button>
          <div className="ml-auto flex items-center gap-3">
            <NotificationBell />
            <Link
              to={paths.home}
              aria-label="Dugout, home"
              className="rounded-full border border-border bg-background py-1 pr-4 pl-1.5"
            >
              <Logo className="gap-2 [&_svg]:size-7 [&_svg]:rounded-full [&>span]:text-base" />
            </Link>
          </div>
        </nav>
      </header>
      <Drawer
        user={user}
        open={menuOpen}
        onOpenChange={setMenuOpen}
        opener={menuButton}
        onLogout={() => {
          setMenuOpen(false)
          setLogoutOpen(true)
        }}
      />
      <LogoutDialog open={logoutOpen} onOpenChange={setLogoutOpen} opener={menuButton} />
      <main id={MAIN_ID} className="mx-auto max-w-6xl px-5 py-8 outline-none sm:py-10 print:max-w-none print:p-0">
        {visibility === 'suspended' && <SuspensionNotice userId={user.id} />}
        <LoadBoundary place={pathname}>
          <Suspense fallback={<PageSpinner />}>{children}</Suspense>
        </LoadBoundary>
      </main>
    </>
  )
}
