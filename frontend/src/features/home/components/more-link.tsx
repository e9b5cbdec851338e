import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Path } from '@/lib/paths'

/** The way from a card's head to the screen that has all of it. */
export function MoreLink({ to, children }: { to: Path; children: ReactNode }) {
  return (
    <Link
      to={to}
      className="-my-2 inline-flex min-h-10 items-center text-sm font-semibold text-primary underline-offset-4 hover:underline"
    >
      {children}
    </Link>
  )
}
