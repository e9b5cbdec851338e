import { useQueries } from '@tanstack/react-query'
import { birthDateQuery, wardsQuery } from '@/data/minors/queries'
import { useSession } from '@/lib/session'
import { Invitations } from '@/features/guardians/components/invitations'
import { OwnGuardians } from '@/features/guardians/components/own-guardians'
import { Wards } from '@/features/guardians/components/wards'
import { guardiansQuery, invitationsQuery } from '@/data/guardians/queries'
import HomeScreen from '@/features/home/routes/home'

/** Home, with what concerns guardians and their wards. */
export default function Home() {
  const { user } = useSession()
  return user && <OwnHome userId={user.id} />
}

function OwnHome({ userId }: { userId: string }) {
  const queries = useQueries({
    queries: [birthDateQuery(userId), guardiansQuery(userId), invitationsQuery(userId), wardsQuery(userId)],
  })
  return (
    <HomeScreen
      guardiansReady={queries.every(({ isPending }) => !isPending)}
      guardians={
        <>
          <OwnGuardians userId={userId} />
          <Invitations userId={userId} />
          <Wards userId={userId} />
        </>
      }
    />
  )
}
