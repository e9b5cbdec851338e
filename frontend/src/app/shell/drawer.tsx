import { useQuery } from '@tanstack/react-query'
import { LogOut, X } from 'lucide-react'
import { useRef, type RefObject } from 'react'
import { NavLink } from 'react-router'
import { env } from '@/lib/env'
import { paths } from '@/lib/paths'
import { roleQuery } from '@/data/role/queries'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Dialog, DialogClose, DialogTitle, SheetContent } from '@/ui/dialog'
import { Logo } from '@/ui/logo'
import { focusMain } from '@/ui/skip-link'
import { ThemeSwitch } from '@/ui/theme-switch'
import { Identity } from '@/app/shell/identity'
import { isAdminAddress, LEGAL, menuGroups, type MenuGroup } from '@/app/shell/menu'

type DrawerProps = {
  user: { id: string; email?: string }
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where the focus goes back to. */
  opener: RefObject<HTMLElement | null>
  onLogout: () => void
}

const entryClass = ({ isActive }: { isActive: boolean }) =>
  cn(
    'relative flex h-8.25 items-center gap-3 rounded-lg px-2 text-sm font-medium transition-colors pointer-coarse:h-11',
    isActive
      ? 'bg-secondary text-primary before:absolute before:inset-y-1 before:left-0 before:w-0.75 before:rounded-r before:bg-primary'
      : 'hover:bg-muted',
  )

/** Section 2, "Side navigation": from the left, 20rem wide. */
export default function Drawer({ user: { id, email = '' }, open, onOpenChange, opener, onLogout }: DrawerProps) {
  const { data: role = 'fan' } = useQuery(roleQuery(id))
  const { data: admin = false } = useQuery({
    queryKey: ['admin-address', email],
    queryFn: () => isAdminAddress(email, env.adminEmailHashes),
    staleTime: Infinity,
  })
  const left = useRef(false)
  const leave = () => {
    left.current = true
    onOpenChange(false)
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <SheetContent
        side="left"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          // After a link the new screen has the focus, otherwise the button of the menu.
          if (left.current) focusMain()
          else opener.current?.focus()
          left.current = false
        }}
      >
        <div className="flex h-16 shrink-0 items-center justify-between border-b border-border px-5">
          <Logo />
          <DialogTitle className="sr-only">Menu</DialogTitle>
          <DialogClose asChild>
            <Button variant="ghost" size="icon" aria-label="Close menu" className="-mr-2">
              <X aria-hidden />
            </Button>
          </DialogClose>
        </div>
        <Identity id={id} onLeave={leave} />
        <Entries groups={menuGroups(role, admin)} onLeave={leave} />
        <ul className="flex gap-4 border-t border-border px-5 pt-2 text-xs text-muted-foreground">
          {LEGAL.map(({ to, label }) => (
            <li key={label}>
              <NavLink to={to} onClick={leave} className="inline-flex h-7 items-center hover:text-foreground">
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
        <div className="flex items-center justify-between gap-3 px-3 pb-3">
          <Button variant="ghost" className="grow justify-start gap-3 px-3 text-destructive" onClick={onLogout}>
            <LogOut aria-hidden />
            Logout
          </Button>
          <ThemeSwitch compact />
        </div>
      </SheetContent>
    </Dialog>
  )
}

function Entries({ groups, onLeave }: { groups: readonly MenuGroup[]; onLeave: () => void }) {
  return (
    <nav aria-label="Menu" className="grow overflow-y-auto overscroll-contain px-3 pb-2">
      {groups.map(({ title, entries }) => (
        <section key={title} aria-label={title}>
          <h2 className="px-2 pt-2.5 pb-1 text-xs font-medium text-muted-foreground">{title}</h2>
          <ul>
            {entries.map(({ to, label, icon: Icon }) => (
              <li key={label}>
                <NavLink to={to} end={to === paths.home} onClick={onLeave} className={entryClass}>
                  <Icon aria-hidden className="size-4.5 shrink-0" />
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </nav>
  )
}
