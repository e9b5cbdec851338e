import { useSession } from '@/lib/session'
import { Invitations } from '@/features/guardians/components/invitations'
import { OwnGuardians } from '@/features/guardians/components/own-guardians'
import { Wards } from '@/features/guardians/components/wards'
import HomeScreen from '@/features/home/routes/home'

/** Home, with what concerns guardians and their wards. */
export default function Home() {
  const { user } = useSession()
  if (!user) return null
  return (
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
}
