import { useQueries } from '@tanstack/react-query'
import { firstTasksQuery, homeGamesQuery } from '@/data/home/games'
import { discoverQuery, newsQuery, ownAccountQuery } from '@/data/home/queries'
import type { Prefetch } from '@/lib/prefetch'
import { birthDateQuery, wardsQuery } from '@/data/minors/queries'
import { useSession } from '@/lib/session'
import { Invitations } from '@/features/guardians/components/invitations'
import { OwnGuardians } from '@/features/guardians/components/own-guardians'
import { Wards } from '@/features/guardians/components/wards'
import { guardiansQuery, invitationsQuery } from '@/data/guardians/queries'
import HomeScreen from '@/features/home/routes/home'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(ownAccountQuery(userId))
  void begin(wardsQuery(userId))
  void begin(birthDateQuery(userId))
  void begin(guardiansQuery(userId))
  void begin(invitationsQuery(userId))
  void begin(homeGamesQuery(userId))
  void begin(firstTasksQuery(userId))
  void begin(newsQuery(userId))
  void begin(discoverQuery(userId))
}

/** Home, with what concerns guardians and their wards. */
export default function Home() {
  const { user } = useSession()
  return user && <OwnHome userId={user.id} />
}

function OwnHome({ userId }: { userId: string }) {
  const queries = useQueries({
    queries: [
      birthDateQuery(userId),
      guardiansQuery(userId),
      invitationsQuery(userId),
      wardsQuery(userId),
      homeGamesQuery(userId),
      firstTasksQuery(userId),
    ],
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
