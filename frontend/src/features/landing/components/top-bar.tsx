import { Menu } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { lazyScreen } from '@/lib/lazy-screen'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Logo } from '@/ui/logo'
import { BAR_LINKS } from '@/features/landing/model'

const MobileMenu = lazyScreen(() => import('@/features/landing/components/mobile-menu'))

const ON_NIGHT = 'hover:bg-white/10'

/** Section 2: fixed; Features scrolls, Pricing and Sign In lead on, and a slide-in menu says the same on small screens. */
export function TopBar() {
  return (
    <header className="fixed inset-x-0 top-0 z-30 border-b border-night-line/60 bg-night/95 text-night-foreground backdrop-blur print:hidden">
      <nav aria-label="Main" className="mx-auto flex h-16 max-w-6xl items-center justify-between px-5">
        <Link to={paths.home} aria-label="Dugout, home" className="rounded-lg">
          <Logo />
        </Link>
        <div className="hidden items-center gap-2 sm:flex">
          {BAR_LINKS.map(({ label, to }) => (
            <Button key={label} asChild variant="ghost" className={ON_NIGHT}>
              <Link to={to}>{label}</Link>
            </Button>
          ))}
          <Button asChild className="ml-2 bg-night-foreground text-night hover:bg-white">
            <Link to={paths.signIn}>Sign In</Link>
          </Button>
        </div>
        <MenuButton />
      </nav>
    </header>
  )
}

/** The dialog behind it is loaded when the menu is first opened. */
function MenuButton() {
  const [open, setOpen] = useState(false)
  const [wanted, setWanted] = useState(false)
  return (
    <>
      <Button
        variant="ghost"
        size="icon"
        aria-label="Open menu"
        aria-haspopup="dialog"
        aria-expanded={open}
        className={`-mr-2 sm:hidden ${ON_NIGHT}`}
        onClick={() => {
          setWanted(true)
          setOpen(true)
        }}
      >
        <Menu aria-hidden />
      </Button>
      {wanted && (
        <Suspense>
          <MobileMenu open={open} onOpenChange={setOpen} />
        </Suspense>
      )}
    </>
  )
}
