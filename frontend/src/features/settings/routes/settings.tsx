import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { visibilityQuery } from '@/data/minors/queries'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Card, PageHeader } from '@/ui/section'
import { ThemeSwitch } from '@/ui/theme-switch'
import { ConnectedApps } from '@/features/settings/components/connected-apps'
import { EmailForm, PasswordForm } from '@/features/settings/components/credentials'
import { NotificationMatrix } from '@/features/settings/components/notification-matrix'
import { Passkeys } from '@/features/settings/components/passkeys'
import { Profile } from '@/features/settings/components/profile'
import { SecondFactors } from '@/features/settings/components/second-factors'
import { Sessions } from '@/features/settings/components/sessions'
import { YourData } from '@/features/settings/components/your-data'

/** `/settings`: who one is here, who may see that, how one signs in, and the way out. */
export default function SettingsScreen({ guardians }: { guardians?: ReactNode }) {
  const { user } = useSession()
  const { data: visibility } = useQuery({ ...visibilityQuery(user?.id ?? ''), enabled: Boolean(user) })
  usePageTitle('Settings')
  if (!user) return null
  const { id, email = '' } = user
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <PageHeader title="Settings" text={email} />
      {/* The database changes nothing of these while the account is suspended. */}
      {visibility !== 'suspended' && (
        <>
          <Profile userId={id} />
          {guardians}
        </>
      )}
      <Card title="Appearance" text="For this browser; logging out forgets it.">
        <ThemeSwitch />
      </Card>
      {visibility !== 'suspended' && <NotificationMatrix userId={id} />}
      <PasswordForm user={user} />
      <EmailForm user={user} />
      <Passkeys userId={id} />
      <SecondFactors userId={id} />
      <Sessions userId={id} email={email} />
      <ConnectedApps userId={id} />
      <YourData email={email} />
    </div>
  )
}
