import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { DiamondArt } from '@/ui/diamond-art'
import { Logo } from '@/ui/logo'

const LINES = [
  'Your numbers, season after season',
  'One page per player that colleges can read',
  'Your team and its roster',
]

/** The night-game half of /signin, on the right, where toasts appear: they cover no form there. Small screens do without it. */
export function WelcomePanel() {
  return (
    <aside className="relative hidden flex-col justify-between overflow-hidden bg-night p-12 text-night-foreground lg:flex">
      <DiamondArt className="absolute -right-48 -bottom-72 size-[48rem] text-night-line" />
      <Link to={paths.home} aria-label="Dugout, home" className="relative self-start rounded-lg">
        <Logo />
      </Link>
      <div className="relative max-w-md">
        <p className="font-display text-4xl leading-tight font-bold tracking-tight">
          Every at-bat is worth remembering.
        </p>
        <ul className="mt-6 grid gap-3 text-night-muted">
          {LINES.map((line) => (
            <li key={line} className="flex items-center gap-3">
              <span className="size-2 rotate-45 bg-clay" />
              {line}
            </li>
          ))}
        </ul>
      </div>
      <p className="relative text-sm text-night-muted">For players, coaches, scouts and fans.</p>
    </aside>
  )
}
