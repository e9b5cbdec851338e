import type { Ward } from '@/lib/minors'
import { useSession } from '@/lib/session'
import { WardCare } from '@/features/guardians/components/ward-care'
import { useRecentSignIn } from '@/features/settings/components/recent-sign-in'

/** The guardian's part of a ward's profile, with the password dialog of the settings. */
export default function Care({ ward }: { ward: Ward }) {
  const { user } = useSession()
  const [guard, confirmation] = useRecentSignIn(user?.email ?? '')
  return (
    <>
      <WardCare ward={ward} guard={guard} />
      {confirmation}
    </>
  )
}
