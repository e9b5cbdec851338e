import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Passkeys } from '@/features/settings/components/passkeys'
import { SecondFactors } from '@/features/settings/components/second-factors'

/** `/settings`: how one signs in. */
export default function SettingsScreen() {
  const { user } = useSession()
  usePageTitle('Settings')
  if (!user) return null
  return (
    <div className="mx-auto grid max-w-3xl gap-6">
      <header>
        <h1 className="text-4xl font-bold tracking-tight">Settings</h1>
        <p className="mt-1.5 wrap-anywhere text-muted-foreground">How {user.email ?? 'you'} signs in.</p>
      </header>
      <Passkeys userId={user.id} />
      <SecondFactors userId={user.id} />
    </div>
  )
}
