import { UserRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Row } from '@/ui/section'

type PersonProps = {
  id: string
  name: string
  facts: string
  /** When, or how much. */
  children?: ReactNode
}

/** A player and what is to be said, with the way to the profile. */
export function Person({ id, name, facts, children }: PersonProps) {
  return (
    <Row
      icon={<UserRound aria-hidden />}
      name={
        <Link
          to={paths.playerById.replace(':id', id)}
          className="underline-offset-4 hover:text-primary hover:underline"
        >
          {name}
        </Link>
      }
      facts={facts}
    >
      {children}
    </Row>
  )
}
