import { Menu, X } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogTitle, DialogTrigger, SheetContent } from '@/ui/dialog'
import { Logo } from '@/ui/logo'
import { FEATURES_ID } from '@/features/landing/model'

const LINKS = [
  { label: 'Features', to: { pathname: paths.home, hash: `#${FEATURES_ID}` } },
  { label: 'Pricing', to: paths.pricing },
]
const ON_NIGHT = 'hover:bg-white/10'
const SIGN_IN = 'bg-night-foreground text-night hover:bg-white'

/** Section 2: fixed; Features scrolls, Pricing and Sign In lead on, and a slide-in menu says the same on small screens. */
export function TopBar() {
  return (
    <header className="fixed inset-x-0 top-0 z-30 border-b border-night-line/60 bg-night/95 text-night-foreground backdrop-blur">
      <nav aria-label="Main" className="mx-auto flex h-16 max-w-6xl items-center justify-between px-5">
        <Link to={paths.home} aria-label="Dugout, home" className="rounded-lg">
          <Logo />
        </Link>
        <div className="hidden items-center gap-2 sm:flex">
          {LINKS.map(({ label, to }) => (
            <Button key={label} asChild variant="ghost" className={ON_NIGHT}>
              <Link to={to}>{label}</Link>
            </Button>
          ))}
          <Button asChild className={`ml-2 ${SIGN_IN}`}>
            <Link to={paths.signIn}>Sign In</Link>
          </Button>
        </div>
        <MobileMenu />
      </nav>
    </header>
  )
}

function MobileMenu() {
  return (
    <Dialog>
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label="Open menu" className={`-mr-2 sm:hidden ${ON_NIGHT}`}>
          <Menu aria-hidden />
        </Button>
      </DialogTrigger>
      <SheetContent side="right" className="bg-night p-5 text-night-foreground">
        <div className="mb-6 flex items-center justify-between">
          <DialogTitle className="text-lg">Menu</DialogTitle>
          <DialogClose asChild>
            <Button variant="ghost" size="icon" aria-label="Close menu" className={`-mr-2 ${ON_NIGHT}`}>
              <X aria-hidden />
            </Button>
          </DialogClose>
        </div>
        <nav aria-label="Menu" className="grid gap-2">
          {LINKS.map(({ label, to }) => (
            <DialogClose key={label} asChild>
              <Button asChild variant="ghost" size="lg" className={`justify-start ${ON_NIGHT}`}>
                <Link to={to}>{label}</Link>
              </Button>
            </DialogClose>
          ))}
          <DialogClose asChild>
            <Button asChild size="lg" className={`mt-3 ${SIGN_IN}`}>
              <Link to={paths.signIn}>Sign In</Link>
            </Button>
          </DialogClose>
        </nav>
      </SheetContent>
    </Dialog>
  )
}
