import { homeQuery, suspensionQuery, type HomeAnswer } from '@/data/home/queries'
import { visibilityQuery } from '@/data/minors/queries'
import type { Prefetch } from '@/lib/prefetch'
import { useSession } from '@/lib/session'
import { Invitations } from '@/features/guardians/components/invitations'
import { OwnGuardians } from '@/features/guardians/components/own-guardians'
import { Wards } from '@/features/guardians/components/wards'
import HomeScreen from '@/features/home/routes/home'

/** Home's one request also answers the queries of the app's frame. */
export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  const home = begin(homeQuery(userId))
  // If that request fails, these queries fail, too, and each component then sends its own request.
  const part = ({ queryKey }: { queryKey: readonly unknown[] }, of: (answer: HomeAnswer) => unknown) =>
    void begin({ queryKey, queryFn: () => home.then(of), retry: false })
  part(visibilityQuery(userId), ({ visibility }) => visibility)
  part(suspensionQuery(userId), ({ suspension }) => suspension)
}

/** Home, with what concerns guardians and their wards. */
export default function Home() {
  const { user } = useSession()
  return (
    user && (
      <HomeScreen
        guardians={
          <>
            <OwnGuardians userId={user.id} />
            <Invitations userId={user.id} />
            <Wards userId={user.id} />
          </>
        }
      />
    )
  )
}
