import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePhoto } from '@/data/media/queries'
import { visibilityQuery } from '@/data/minors/queries'
import { profileQuery } from '@/data/players/queries'
import { balanceQuery } from '@/data/referrals/queries'
import { roleQuery } from '@/data/role/queries'
import { count } from '@/lib/format'
import { visibilityWord } from '@/lib/minors'
import { paths } from '@/lib/paths'
import { Face } from '@/ui/face'

const ROLES: Readonly<Record<string, string>> = {
  player: 'Player',
  coach: 'Coach',
  scout: 'Scout',
  fan: 'Fan',
  admin: 'Admin',
}

/** The signed-in user with role, visibility of the profile and tokens, as a link to the public page. */
export function Identity({ id, onLeave }: { id: string; onLeave: () => void }) {
  const { data: profile } = useQuery(profileQuery(id))
  const { data: role = 'fan' } = useQuery(roleQuery(id))
  const { data: visibility } = useQuery(visibilityQuery(id))
  const { data: tokens = null } = useQuery(balanceQuery(id))
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
        <span className="truncate text-sm text-muted-foreground">
          {[ROLES[role] ?? 'Fan', visibilityWord(visibility), tokens !== null && `${count(tokens)} tokens`]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
    </Link>
  )
}
