import {
  ChartNoAxesColumn,
  CircleUserRound,
  GraduationCap,
  House,
  ListOrdered,
  Newspaper,
  Trophy,
  Users,
} from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { NavLink } from 'react-router'
import { paths, type Path } from '@/lib/paths'
import { profilePath, type Role } from '@/lib/role'
import { cn } from '@/ui/class-names'
import { UNBUILT } from '@/app/screens'

type Shortcut = { to: Path; label: string; icon: LucideIcon; onPhones?: boolean }

function shortcuts(role: Role): Shortcut[] {
  const all: Shortcut[] = [
    { to: paths.home, label: 'Home', icon: House, onPhones: true },
    { to: profilePath(role), label: 'Profile', icon: CircleUserRound, onPhones: true },
    { to: paths.teamCommunication, label: 'Team', icon: Users, onPhones: true },
    { to: paths.leaderboard, label: 'Leaders', icon: ListOrdered, onPhones: true },
    { to: paths.rankings, label: 'Rankings', icon: Trophy, onPhones: true },
    { to: paths.collegeBound, label: 'College', icon: GraduationCap },
    { to: paths.newsReel, label: 'News', icon: Newspaper },
    { to: paths.analytics, label: 'Analytics', icon: ChartNoAxesColumn },
  ]
  return all.filter(({ to }) => UNBUILT.every(({ path }) => path !== to))
}

/** The most used screens: a rail at the left of wide windows, a bar at the bottom of phones. In between there is the menu. */
export function Shortcuts({ role }: { role: Role }) {
  const all = shortcuts(role)
  return (
    <nav
      aria-label="Shortcuts"
      className={cn(
        'fixed z-20 border-border bg-card md:max-2xl:hidden print:hidden',
        'max-md:inset-x-0 max-md:bottom-0 max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]',
        '2xl:top-14 2xl:bottom-0 2xl:left-0 2xl:w-18 2xl:overflow-y-auto 2xl:border-r 2xl:py-2.5',
      )}
    >
      <ul className="max-md:flex 2xl:grid 2xl:gap-0.5">
        {all.map(({ to, label, icon: Icon, onPhones }) => (
          <li key={label} className={cn('max-md:grow max-md:basis-0', !onPhones && 'max-md:hidden')}>
            <NavLink to={to} end={to === paths.home} className={itemClass}>
              <Icon aria-hidden className="size-5" />
              {label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  )
}

const itemClass = ({ isActive }: { isActive: boolean }) =>
  cn(
    'relative grid justify-items-center gap-1 text-[0.6875rem] leading-3.5 font-medium',
    'max-md:h-15 max-md:content-center 2xl:mx-auto 2xl:h-13.5 2xl:w-16 2xl:content-center 2xl:rounded-lg',
    isActive
      ? 'font-semibold text-primary 2xl:bg-secondary 2xl:before:absolute 2xl:before:inset-y-2.5 2xl:before:-left-1 2xl:before:w-0.75 2xl:before:rounded-r 2xl:before:bg-primary'
      : 'text-muted-foreground hover:text-foreground',
  )
