import { Link } from 'react-router'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Passkeys } from '@/features/settings/components/passkeys'
import { SecondFactors } from '@/features/settings/components/second-factors'

/** `/settings`: how one signs in. */
export default function SettingsScreen() {
  const { user } = useSession()
  usePageTitle('Settings')
  if (!user) return <Visitor />
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

function Visitor() {
  return (
    <section className="grid min-h-[50dvh] place-content-center justify-items-center gap-4 text-center">
      <h1 className="text-4xl font-bold tracking-tight">Settings</h1>
      <p className="text-muted-foreground">Sign in to see and change yours.</p>
      <Button asChild>
        <Link to={paths.signIn}>Sign In</Link>
      </Button>
    </section>
  )
}
