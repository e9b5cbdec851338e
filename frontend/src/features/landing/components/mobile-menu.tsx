import { X } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogTitle, SheetContent } from '@/ui/dialog'
import { BAR_LINKS } from '@/features/landing/model'

const ON_NIGHT = 'hover:bg-white/10'

/** Section 2's mobile slide-in menu: what the top bar says, on small screens. */
export default function MobileMenu({ open, onOpenChange }: { open: boolean; onOpenChange: (open: boolean) => void }) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
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
          {BAR_LINKS.map(({ label, to }) => (
            <DialogClose key={label} asChild>
              <Button asChild variant="ghost" size="lg" className={`justify-start ${ON_NIGHT}`}>
                <Link to={to}>{label}</Link>
              </Button>
            </DialogClose>
          ))}
          <DialogClose asChild>
            <Button asChild size="lg" className="mt-3 bg-night-foreground text-night hover:bg-white">
              <Link to={paths.signIn}>Sign In</Link>
            </Button>
          </DialogClose>
        </nav>
      </SheetContent>
    </Dialog>
  )
}
