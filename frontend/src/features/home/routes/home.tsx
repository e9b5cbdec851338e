import { useQuery } from '@tanstack/react-query'
import { Coins, Eye, EyeOff, RotateCw, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { messageOf } from '@/lib/errors'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { roleQuery } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { PageSpinner } from '@/ui/spinner'
import { ownAccountQuery, suspensionQuery } from '@/features/home/queries'
import { FinishProfile } from '@/features/home/components/finish-profile'
import { firstName, greeting, nextSteps } from '@/features/home/model'

/** `/` for signed-in users: who they are here, and what they hold. */
export default function HomeScreen({ guardians }: { guardians?: ReactNode }) {
  const { user } = useSession()
  usePageTitle('Home')
  return user && <Home userId={user.id} guardians={guardians} />
}

function Home({ userId, guardians }: { userId: string; guardians: ReactNode }) {
  const account = useQuery(ownAccountQuery(userId))
  const { data: role = 'fan' } = useQuery(roleQuery(userId))
  const { data: suspension } = useQuery(suspensionQuery(userId))
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
      {suspension && (
        <p role="alert" className="mt-6 rounded-xl border border-destructive/40 bg-destructive/6 p-4">
          <strong className="text-destructive">Your account is suspended.</strong> {suspension.reason} Write to us by
          the{' '}
          <Link to={paths.contact} className="font-medium text-primary underline underline-offset-4">
            contact page
          </Link>{' '}
          if you think that is a mistake.
        </p>
      )}
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
      <div className="mt-8 grid gap-6">
        <FinishProfile userId={userId} />
        {guardians}
        <ul className="grid gap-4 md:grid-cols-3">
          {nextSteps(role).map(({ title, text, to, action }) => (
            <li key={title} className="grid content-between gap-4 rounded-2xl border border-border bg-card p-6">
              <div>
                <h2 className="text-lg font-semibold">{title}</h2>
                <p className="mt-1 text-muted-foreground">{text}</p>
              </div>
              <Button asChild variant="outline" className="justify-self-start">
                <Link to={to}>{action}</Link>
              </Button>
            </li>
          ))}
        </ul>
      </div>
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
