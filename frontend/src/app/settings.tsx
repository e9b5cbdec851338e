import { accountQuery, preferencesQuery } from '@/data/account/queries'
import { guardiansQuery } from '@/data/guardians/queries'
import { birthDateQuery } from '@/data/minors/queries'
import { factorsQuery, passkeysQuery, sessionsQuery } from '@/data/security/queries'
import type { Prefetch } from '@/lib/prefetch'
import { useSession } from '@/lib/session'
import { GuardianSettings } from '@/features/guardians/components/guardian-settings'
import SettingsScreen from '@/features/settings/routes/settings'

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(accountQuery(userId))
  void begin(birthDateQuery(userId))
  void begin(guardiansQuery(userId))
  void begin(preferencesQuery(userId))
  void begin(passkeysQuery(userId))
  void begin(factorsQuery(userId))
  void begin(sessionsQuery(userId))
}

/** Settings, with the part about guardians. */
export default function Settings() {
  const { user } = useSession()
  if (!user) return null
  return <SettingsScreen guardians={<GuardianSettings userId={user.id} email={user.email ?? ''} />} />
}
