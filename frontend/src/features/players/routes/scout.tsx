import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { ScoutProfile } from '@/features/players/components/scout-profile'
import { profileQuery } from '@/data/players/queries'

type OwnProps = { children: (userId: string) => ReactNode }

/** `/scout`: the user's own scout profile; the app passes in the desk. */
export default function ScoutScreen({ children }: OwnProps) {
  const { user } = useSession()
  return user && <Own id={user.id}>{children(user.id)}</Own>
}

function Own({ id, children }: { id: string; children: ReactNode }) {
  const { data: profile, isPending } = useQuery(profileQuery(id))
  const name = profile?.full_name || 'Scout Profile'
  usePageTitle(name)
  return (
    <ScoutProfile id={id} name={name} photo={profile?.photo ?? null} role={profile?.role} own unnamed={isPending}>
      {children}
    </ScoutProfile>
  )
}
