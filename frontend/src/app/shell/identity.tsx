import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePhoto } from '@/data/media/queries'
import { profileQuery } from '@/data/players/queries'
import { roleQuery } from '@/data/role/queries'
import { paths } from '@/lib/paths'
import { Face } from '@/ui/face'

const ROLES: Readonly<Record<string, string>> = {
  player: 'Player',
  coach: 'Coach',
  scout: 'Scout',
  fan: 'Fan',
  admin: 'Admin',
}

/** Who is signed in; leads to the page that others see. */
export function Identity({ id, onLeave }: { id: string; onLeave: () => void }) {
  const { data: profile } = useQuery(profileQuery(id))
  const { data: role = 'fan' } = useQuery(roleQuery(id))
  const photo = usePhoto(profile?.photo, 'small')
  const name = profile?.full_name ?? ''
  return (
    <Link
      to={paths.playerById.replace(':id', id)}
      onClick={onLeave}
      className="flex h-16 shrink-0 items-center gap-3 border-b border-border px-5 hover:bg-muted"
    >
      <Face name={name} size={40} {...photo} />
      <span className="grid min-w-0">
        <span className="truncate font-medium">{name || 'Your profile'}</span>
        <span className="text-sm text-muted-foreground">{ROLES[role] ?? 'Fan'}</span>
      </span>
    </Link>
  )
}
