import { useQuery } from '@tanstack/react-query'
import { Menu } from 'lucide-react'
import { Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { Link, useLocation } from 'react-router'
import type { Prefetch } from '@/lib/prefetch'
import { recordPageView } from '@/data/activity/mutations'
import { SuspensionNotice } from '@/features/home/components/suspension-notice'
import { suspensionQuery } from '@/data/home/queries'
import { UnsentPlays } from '@/features/games/scoring/components/unsent-plays'
import { NotificationBell } from '@/features/notifications/components/notification-bell'
import { afterPaint } from '@/lib/after-paint'
import { hasShownSecondFactor } from '@/lib/assurance'
import { visibilityQuery } from '@/data/minors/queries'
import { lazyScreen } from '@/lib/lazy-screen'
import { whenQuiet } from '@/lib/when-quiet'
import { paths, patternOf } from '@/lib/paths'
import { roleQuery } from '@/data/role/queries'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { LoadBoundary } from '@/ui/load-boundary'
import { Logo } from '@/ui/logo'
import { MAIN_ID, SkipLink } from '@/ui/skip-link'
import { PageSpinner } from '@/ui/spinner'
import { MEMBERS_SCREENS, PUBLIC_SCREENS } from '@/app/built'
import { UNBUILT } from '@/app/screens'
import { SearchButton } from '@/app/shell/search-button'
import { Shortcuts } from '@/app/shell/shortcuts'

/** Loads what the frame shows about the user. On Home the visibility comes with home()'s answer. */
export const prefetch: Prefetch = (begin, { pathname, userId }) => {
  if (!userId) return
  void begin(roleQuery(userId))
  if (pathname !== paths.home) void begin(visibilityQuery(userId))
}

/** Milliseconds after which the menu is loaded: by then the data of most screens has arrived on a slow line. */
const MENU_REST = 1500
const loadMenus = () => Promise.all([import('@/app/shell/drawer'), import('@/app/shell/logout-dialog')])
const Drawer = lazyScreen(() => import('@/app/shell/drawer'))
const LogoutDialog = lazyScreen(() => import('@/app/shell/logout-dialog'))
const loadLive = () => import('@/features/notifications/components/live-notifications')
const LiveNotifications = lazyScreen(loadLive)
const Enrolment = lazyScreen(() => import('@/app/shell/enrolment'))

/** Contents are up to 1304 px wide, beside the rail where there is one. */
const MAIN = 'mx-auto max-w-342 px-4 py-6 outline-none md:px-8 print:max-w-none print:p-0 2xl:max-w-360'

const TITLES = [...MEMBERS_SCREENS, ...PUBLIC_SCREENS, ...UNBUILT]

/** What the bar of phones calls a screen. */
function titleOf(pathname: string): string {
  if (pathname === paths.home) return 'Home'
  return TITLES.find(({ path }) => patternOf(path).test(pathname))?.title ?? ''
}

/** The database keeps no page views of children without a guardian or of suspended users. */
const UNRECORDED = ['guardian_missing', 'suspended']

/** The frame of every signed-in screen: the navigation bar, the drawer and the logout dialog. */
export default function Shell({ user, children }: { user: User; children: ReactNode }) {
  const menuButton = useRef<HTMLButtonElement>(null)
  // Undefined until first opened, so that it is not loaded before.
  const [menuOpen, setMenuOpen] = useState<boolean>()
  const [live, setLive] = useState(false)
  const { pathname, key } = useLocation()

  const { data: visibility, isFetched } = useQuery(visibilityQuery(user.id))
  const { session } = useSession()
  const { data: role } = useQuery(roleQuery(user.id))
  const suspended = visibility === 'suspended'
  const suspension = useQuery({ ...suspensionQuery(user.id), enabled: suspended })
  // The scorebook needs the whole screen, and a thumb must not leave it by mistake.
  const withShortcuts = !patternOf(paths.scoreGame).test(pathname)
  const recorded = isFetched && !UNRECORDED.includes(visibility ?? '')

  useEffect(() => {
    if (recorded) void afterPaint().then(() => recordPageView(user.id, pathname, key))
  }, [recorded, user.id, pathname, key])

  // The menu is loaded before it is opened, because it has to open without a connection, too.
  useEffect(() => whenQuiet(loadMenus, MENU_REST), [])
  useEffect(() => whenQuiet(() => loadLive().then(() => setLive(true))), [])

  if (role === 'admin' && !hasShownSecondFactor(session)) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <Enrolment user={user} />
      </Suspense>
    )
  }
  return (
    <>
      <SkipLink />
      <TopBar user={user} title={titleOf(pathname)} menuButton={menuButton} menuOpen={menuOpen} onMenu={setMenuOpen}>
        {/* The database sends nothing to a suspended account. */}
        <Suspense>{live && visibility && !suspended && <LiveNotifications userId={user.id} />}</Suspense>
      </TopBar>
      <Menus place={pathname} user={user} open={menuOpen} onOpenChange={setMenuOpen} opener={menuButton} />
      {withShortcuts && <Shortcuts role={role ?? 'fan'} />}
      <main id={MAIN_ID} className={cn(MAIN, withShortcuts && 'max-md:pb-24 2xl:pl-26')}>
        <UnsentPlays userId={user.id} />
        {suspended && !suspension.isPending && <SuspensionNotice reason={suspension.data?.reason} />}
        <LoadBoundary place={pathname}>
          <Suspense fallback={<PageSpinner />}>
            {/* The notice is above the screen. It is loaded first to avoid a layout shift. */}
            {suspended && suspension.isPending ? <PageSpinner /> : children}
          </Suspense>
        </LoadBoundary>
      </main>
    </>
  )
}

type User = { id: string; email?: string }

type TopBarProps = {
  user: User
  title: string
  menuButton: RefObject<HTMLButtonElement | null>
  menuOpen: boolean | undefined
  onMenu: (open: boolean) => void
  /** What listens for notifications. */
  children: ReactNode
}

function TopBar({ user, title, menuButton, menuOpen, onMenu, children }: TopBarProps) {
  return (
    <header className="sticky top-0 z-30 border-b border-border bg-card/95 backdrop-blur print:hidden">
      <nav aria-label="Main" className="flex h-13 items-center gap-2 px-2 md:h-14 md:px-4 2xl:pl-4.5">
        <Button
          ref={menuButton}
          variant="ghost"
          size="icon"
          aria-label="Open menu"
          aria-haspopup="dialog"
          aria-expanded={menuOpen === true}
          onClick={() => onMenu(true)}
        >
          <Menu aria-hidden />
        </Button>
        <span aria-hidden className="truncate font-display text-base font-bold md:hidden">
          {title}
        </span>
        <SearchButton user={user} />
        <div className="ml-auto flex items-center gap-3 max-sm:order-2 max-sm:ml-0">
          {children}
          <NotificationBell />
          <Link
            to={paths.home}
            aria-label="Dugout, home"
            className="rounded-full py-1 max-md:p-1.5 md:border md:border-border md:bg-background md:pr-4 md:pl-1.5"
          >
            <Logo className="gap-2 max-md:[&>span]:sr-only [&_svg]:size-7 md:[&_svg]:rounded-full [&>span]:text-base" />
          </Link>
        </div>
      </nav>
    </header>
  )
}

type MenusProps = {
  place: string
  user: User
  /** Undefined until first opened. */
  open: boolean | undefined
  onOpenChange: (open: boolean) => void
  opener: RefObject<HTMLButtonElement | null>
}

/** The drawer, and the logout dialog that it opens. */
function Menus({ place, user, open, onOpenChange, opener }: MenusProps) {
  const [logoutOpen, setLogoutOpen] = useState<boolean>()
  return (
    <LoadBoundary place={place}>
      <Suspense>
        {open !== undefined && (
          <Drawer
            user={user}
            open={open}
            onOpenChange={onOpenChange}
            opener={opener}
            onLogout={() => {
              onOpenChange(false)
              setLogoutOpen(true)
            }}
          />
        )}
        {logoutOpen !== undefined && <LogoutDialog open={logoutOpen} onOpenChange={setLogoutOpen} opener={opener} />}
      </Suspense>
    </LoadBoundary>
  )
}
