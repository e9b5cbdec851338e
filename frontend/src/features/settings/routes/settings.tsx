import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { visibilityQuery } from '@/data/minors/queries'
import { lazyScreen } from '@/lib/lazy-screen'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { BelowTheFold } from '@/ui/below-the-fold'
import { Card, PageHeader } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { ThemeSwitch } from '@/ui/theme-switch'
import { NotificationMatrix } from '@/features/settings/components/notification-matrix'
import { Profile } from '@/features/settings/components/profile'

const Security = lazyScreen(() => import('@/features/settings/components/security'))

/** `/settings`: the user's name and visibility, how they sign in, and their data. */
export default function SettingsScreen({ guardians }: { guardians?: ReactNode }) {
  const { user } = useSession()
  const { data: visibility } = useQuery({ ...visibilityQuery(user?.id ?? ''), enabled: Boolean(user) })
  usePageTitle('Settings')
  if (!user) return null
  const { id, email = '' } = user
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <PageHeader title="Settings" text={email} />
      {/* The database refuses to change these while the account is suspended. */}
      {visibility !== 'suspended' && (
        <>
          <Profile userId={id} />
          {guardians}
        </>
      )}
      <Card title="Appearance" text="Applies to this browser until you log out.">
        <ThemeSwitch />
      </Card>
      <BelowTheFold>
        {visibility !== 'suspended' && <NotificationMatrix userId={id} />}
        <Suspense fallback={<PageSpinner />}>
          <Security user={user} />
        </Suspense>
      </BelowTheFold>
    </div>
  )
}
