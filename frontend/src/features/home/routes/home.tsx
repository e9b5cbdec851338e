import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { Suspense, useEffect, type ReactNode } from 'react'
import { messageOf } from '@/lib/errors'
import { lazyScreen } from '@/lib/lazy-screen'
import { visibilityQuery } from '@/data/minors/queries'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { roleQuery } from '@/data/role/queries'
import type { Role } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { PageSpinner } from '@/ui/spinner'
import { CoachTasks } from '@/features/home/components/coach-tasks'
import { ListChanges, OwnChanges } from '@/features/home/components/changes'
import { Facts } from '@/features/home/components/facts'
import { FirstTasks } from '@/features/home/components/first-tasks'
import { FollowedGames } from '@/features/home/components/followed-games'
import { GameTiles } from '@/features/home/components/game-tiles'
import { Discover, News } from '@/features/home/components/news'
import { NextGame } from '@/features/home/components/next-game'
import { NextSteps } from '@/features/home/components/next-steps'
import { MissingSteps, Standing } from '@/features/home/components/standing'
import { Totals } from '@/features/home/components/totals'
import { firstName, greeting, nextSteps } from '@/features/home/model'
import { HOME_KEY, ownAccountQuery } from '@/data/home/queries'

const FinishProfile = lazyScreen(() => import('@/features/home/components/finish-profile'))

/**
 * `/` for signed-in users: their account at a glance, open tasks, and news.
 */
export default function HomeScreen(props: GuardiansProps) {
  const { user } = useSession()
  const client = useQueryClient()
  usePageTitle('Home')
  // What is done on other screens changes Home, so it is loaded again when it is opened again.
  useEffect(() => () => void client.invalidateQueries({ queryKey: HOME_KEY, refetchType: 'none' }), [client])
  return user && <Home userId={user.id} {...props} />
}

type GuardiansProps = {
  /** The part for guardians and their wards. */
  guardians: ReactNode
  /** Whether that is loaded. */
  guardiansReady: boolean
}

function Home({ userId, guardians, guardiansReady }: GuardiansProps & { userId: string }) {
  const account = useQuery(ownAccountQuery(userId))
  const { data: role } = useQuery(roleQuery(userId))
  const { data: visibility, isPending } = useQuery(visibilityQuery(userId))
  if (account.isError) return <Failed error={account.error} onRetry={() => void account.refetch()} />
  // The cards load their rows meanwhile. Shown one by one, each would shift the cards below it.
  const waiting = account.isPending || !role || isPending || !guardiansReady
  return (
    <>
      {waiting && <PageSpinner />}
      {role && (
        <div hidden={waiting}>
          <Content userId={userId} account={account.data} role={role} visibility={visibility} guardians={guardians} />
        </div>
      )}
    </>
  )
}

type ContentProps = {
  userId: string
  account: { full_name: string; email: string | null; referral_tokens: number } | undefined
  role: Role
  visibility: string | undefined
  guardians: ReactNode
}

function Content({ userId, account, role, visibility, guardians }: ContentProps) {
  const { full_name, email, referral_tokens } = account ?? { full_name: '', email: null, referral_tokens: 0 }
  return (
    <>
      <header>
        <p className="text-muted-foreground">{greeting(new Date().getHours())},</p>
        <h1 className="text-4xl font-bold tracking-tight wrap-anywhere">{firstName(full_name, email)}</h1>
      </header>
      <Facts userId={userId} role={role} tokens={referral_tokens} />
      {visibility !== 'suspended' && <GameTiles userId={userId} />}
      <div className="mt-6 grid gap-6">
        {visibility === 'suspended' ? (
          <NextSteps title="What you can still do" steps={STEPS_OF_THE_SUSPENDED} />
        ) : (
          <>
            {visibility === 'birth_date_missing' && (
              <Suspense>
                <FinishProfile userId={userId} />
              </Suspense>
            )}
            {guardians}
            <Panels userId={userId} role={role} isChild={visibility === 'guardian_missing'} />
          </>
        )}
      </div>
      <p className="mt-6 text-sm text-muted-foreground">
        Signed in as <span className="font-medium text-foreground wrap-anywhere">{email}</span>.
      </p>
    </>
  )
}

const STEPS_OF_THE_SUSPENDED = [
  { title: 'Take your data along', text: 'All that we hold about you, as a file.', to: paths.settings },
  { title: 'Delete your account', text: 'At once, and for good.', to: paths.settings },
  { title: 'Write to us', text: 'If you think that it is a mistake.', to: paths.contact },
] as const

function Panels({ userId, role, isChild }: { userId: string; role: Role; isChild: boolean }) {
  const own = panelOf(role, userId, isChild)
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid gap-6">
        {own}
        <News userId={userId} />
      </div>
      <div className="grid gap-6">
        <NextSteps title="Go on" steps={nextSteps(role)} />
        <Discover userId={userId} />
      </div>
    </div>
  )
}

function panelOf(role: Role, userId: string, isChild: boolean): ReactNode {
  switch (role) {
    case 'player':
      // Under 13 and without a guardian there is nothing to be added yet.
      return (
        <>
          <NextGame userId={userId} />
          {!isChild && (
            <>
              <FirstTasks userId={userId} />
              <MissingSteps userId={userId} />
            </>
          )}
          <OwnChanges userId={userId} />
          <Standing userId={userId} />
        </>
      )
    case 'coach':
      return (
        <>
          <FirstTasks userId={userId} />
          <CoachTasks userId={userId} />
        </>
      )
    case 'scout':
      return (
        <>
          <FirstTasks userId={userId} />
          <ListChanges userId={userId} />
        </>
      )
    case 'fan':
      return (
        <>
          <FirstTasks userId={userId} />
          <FollowedGames userId={userId} />
        </>
      )
    case 'admin':
      return <Totals userId={userId} />
  }
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="mx-auto mt-16 grid max-w-md justify-items-center gap-4 text-center">
      <h1 className="text-2xl font-bold">Your account could not be loaded</h1>
      <p className="text-muted-foreground">{messageOf(error, 'The server did not say why.')}</p>
      <Button onClick={onRetry}>
        <RotateCw aria-hidden />
        Try again
      </Button>
    </div>
  )
}
