import { useSession } from '@/lib/session'
import { GuardianSettings } from '@/features/guardians/components/guardian-settings'
import SettingsScreen from '@/features/settings/routes/settings'

/** Settings, with the part about guardians. */
export default function Settings() {
  const { user } = useSession()
  if (!user) return null
  return <SettingsScreen guardians={<GuardianSettings userId={user.id} email={user.email ?? ''} />} />
}
