import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { JerseyTile } from '@/ui/jersey-tile'

type PersonProps = {
  id: string
  name: string
  /** Beside the name: position and class. */
  about?: string
  facts: ReactNode
  /** A value, or buttons. */
  children?: ReactNode
}

/** A player and what is to be said, with the way to the profile. */
export function Person({ id, name, about, facts, children }: PersonProps) {
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <JerseyTile name={name} className="size-9 text-xs" />
      <span className="min-w-0 grow basis-40">
        <span className="block wrap-anywhere">
          <Link
            to={paths.playerById.replace(':id', id)}
            className="font-medium underline-offset-4 hover:text-primary hover:underline"
          >
            {name}
          </Link>
          {about && <span className="text-muted-foreground"> {about}</span>}
        </span>
        <span className="block text-sm text-muted-foreground">{facts}</span>
      </span>
      {children && <span className="flex items-center gap-2">{children}</span>}
    </li>
  )
}
