import { useQuery } from '@tanstack/react-query'
import { Coins, Eye, EyeOff, RotateCw, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messageOf } from '@/lib/errors'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { profilePath, roleQuery } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { PageSpinner } from '@/ui/spinner'
import { ownAccountQuery } from '@/features/home/queries'
import { firstName, greeting } from '@/features/home/model'

/** `/` for signed-in users: who they are here, and what they hold. */
export default function HomeScreen() {
  const { user } = useSession()
  usePageTitle('Home')
  return user && <Home userId={user.id} />
}

function Home({ userId }: { userId: string }) {
  const account = useQuery(ownAccountQuery(userId))
  const { data: role = 'fan' } = useQuery(roleQuery(userId))
  if (account.isPending) return <PageSpinner />
  if (account.isError) {
    return (
      <div role="alert" className="mx-auto mt-16 grid max-w-md justify-items-center gap-4 text-center">
        <h1 className="text-2xl font-bold">Your account could not be loaded</h1>
        <p className="text-muted-foreground">{messageOf(account.error, 'The server did not say why.')}</p>
        <Button onClick={() => void account.refetch()}>
          <RotateCw aria-hidden />
          Try again
        </Button>
      </div>
    )
  }
  const { full_name, email, referral_tokens, public_profile } = account.data
  return (
    <>
      <header>
        <p className="text-muted-foreground">{greeting(new Date().getHours())},</p>
        <h1 className="text-4xl font-bold tracking-tight wrap-anywhere">{firstName(full_name, email)}</h1>
      </header>
      <dl className="mt-8 grid gap-4 sm:grid-cols-3">
        <Fact icon={UserRound} name="You are here as">
          <span className="capitalize">{role}</span>
        </Fact>
        <Fact icon={Coins} name="Referral tokens">
          <span className="tabular-nums">{referral_tokens}</span>
        </Fact>
        <Fact icon={public_profile ? Eye : EyeOff} name="Your profile is">
          {public_profile ? 'Public' : 'Private'}
        </Fact>
      </dl>
      <section className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-4 rounded-2xl border border-border bg-card p-6">
        <div className="max-w-xl">
          <h2 className="text-lg font-semibold">The season is about to begin</h2>
          <p className="mt-1 text-muted-foreground">
            Your account is ready. The other rooms of the clubhouse open one by one; the menu shows them all.
          </p>
        </div>
        <Button asChild variant="outline">
          <Link to={profilePath(role)}>My Profile</Link>
        </Button>
      </section>
      <p className="mt-6 text-sm text-muted-foreground">
        Signed in as <span className="font-medium text-foreground wrap-anywhere">{email}</span>.{' '}
        <Link to={paths.settings} className="font-medium text-primary underline underline-offset-4">
          Settings
        </Link>
      </p>
    </>
  )
}

function Fact({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <div className="relative rounded-2xl border border-border bg-card p-5 pl-20">
      <dt className="text-sm text-muted-foreground">
        <span className="absolute top-1/2 left-5 grid size-11 -translate-y-1/2 place-items-center rounded-xl bg-secondary text-primary">
          <Icon aria-hidden className="size-5" />
        </span>
        {name}
      </dt>
      <dd className="font-display text-2xl font-bold">{children}</dd>
    </div>
  )
}
