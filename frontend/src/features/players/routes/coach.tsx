import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { CoachProfile } from '@/features/players/components/coach-profile'
import { profileQuery } from '@/data/players/queries'

type OwnProps = { children: (userId: string) => ReactNode }

/** `/coach`: the user's own coach profile; the app passes in the teams. */
export default function CoachScreen({ children }: OwnProps) {
  const { user } = useSession()
  return user && <Own id={user.id}>{children(user.id)}</Own>
}

function Own({ id, children }: { id: string; children: ReactNode }) {
  const { data: profile, isPending } = useQuery(profileQuery(id))
  const name = profile?.full_name || 'Coach Profile'
  usePageTitle(name)
  return (
    <CoachProfile id={id} name={name} photo={profile?.photo ?? null} role={profile?.role} own unnamed={isPending}>
      {children}
    </CoachProfile>
  )
}
