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
import { Arms } from '@/features/home/components/arms'
import { CoachTasks } from '@/features/home/components/coach-tasks'
import { ListChanges, OwnChanges } from '@/features/home/components/changes'
import { Due } from '@/features/home/components/due'
import { FirstTasks } from '@/features/home/components/first-tasks'
import { FollowedGames } from '@/features/home/components/followed-games'
import { PitchAlert } from '@/features/home/components/pitch-alert'
import { GameTiles } from '@/features/home/components/game-tiles'
import { HomeSkeleton } from '@/features/home/components/home-skeleton'
import { Discover, News } from '@/features/home/components/news'
import { NextGame } from '@/features/home/components/next-game'
import { NextSteps } from '@/features/home/components/next-steps'
import { MissingSteps, Standing } from '@/features/home/components/standing'
import { Totals } from '@/features/home/components/totals'
import { answerOf, today } from '@/features/home/model'
import { homeGamesQuery, type HomeGame } from '@/data/home/games'
import { HOME_KEY, homeQuery, type HomeAnswer } from '@/data/home/queries'

const FinishProfile = lazyScreen(() => import('@/features/home/components/finish-profile'))

type GuardiansProps = {
  /** The part for guardians and their wards. */
  guardians: ReactNode
}

/**
 * `/` for signed-in users: what is on today, what changed, and what waits for them.
 */
export default function HomeScreen(props: GuardiansProps) {
  const { user } = useSession()
  const client = useQueryClient()
  usePageTitle('Home')
  // What is done on other screens changes Home, so it is loaded again when it is opened again.
  useEffect(() => () => void client.invalidateQueries({ queryKey: HOME_KEY, refetchType: 'none' }), [client])
  return user && <Home userId={user.id} {...props} />
}

function Home({ userId, guardians }: GuardiansProps & { userId: string }) {
  const { data, error, refetch } = useQuery(homeQuery(userId))
  const { data: role } = useQuery(roleQuery(userId))
  if (data && role) return <Content userId={userId} home={data} role={role} guardians={guardians} />
  return error ? <Failed error={error} onRetry={() => void refetch()} /> : <HomeSkeleton />
}

type ContentProps = GuardiansProps & { userId: string; home: HomeAnswer; role: Role }

function Content({ userId, home, role, guardians }: ContentProps) {
  const suspended = home.visibility === 'suspended'
  // Own queries, because live games change the scores, and answers on this screen change the visibility.
  const { data: games = [] } = useQuery({ ...homeGamesQuery(userId), enabled: !suspended })
  const { data: visibility = home.visibility } = useQuery(visibilityQuery(userId))
  return (
    <>
      {!suspended && role === 'coach' && home.coach && <PitchAlert arms={home.coach.arms} />}
      <header>
        <p className="text-sm text-muted-foreground">{today(new Date())}</p>
        <h1 className="text-2xl/7.5 font-bold tracking-tight wrap-anywhere sm:text-[1.75rem]/8.5">
          {answerOf(role, { ...home, games }, new Date())}
        </h1>
      </header>
      {!suspended && <GameTiles games={games} />}
      <div className="mt-4 grid gap-3 sm:gap-4">
        {suspended ? (
          <NextSteps title="What you can still do" steps={STEPS_OF_THE_SUSPENDED} />
        ) : (
          <>
            {visibility === 'birth_date_missing' && (
              <Suspense>
                <FinishProfile userId={userId} />
              </Suspense>
            )}
            {guardians}
            <Panels role={role} home={home} games={games} isChild={visibility === 'guardian_missing'} />
          </>
        )}
      </div>
    </>
  )
}

const STEPS_OF_THE_SUSPENDED = [
  { title: 'Take your data along', text: 'All that we hold about you, as a file.', to: paths.settings },
  { title: 'Delete your account', text: 'At once, and for good.', to: paths.settings },
  { title: 'Write to us', text: 'If you think that it is a mistake.', to: paths.contact },
] as const

type PanelsProps = { role: Role; home: HomeAnswer; games: readonly HomeGame[]; isChild: boolean }

function Panels({ role, home, games, isChild }: PanelsProps) {
  const { news = null, discover = [], player, coach } = home
  return (
    <div className="grid items-start gap-3 sm:gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="grid gap-3 sm:gap-4">
        {/* Under 13 and without a guardian there is nothing to be added yet. */}
        {role === 'player' && <NextGame games={games} />}
        {!isChild && <FirstTasks tasks={home.tasks ?? []} />}
        {role === 'player' && player && <OwnPanels player={player} isChild={isChild} />}
        {role === 'coach' && coach && <CoachTasks tasks={coach} />}
        {role === 'scout' && <ListChanges changes={home.listed ?? []} />}
        {role === 'fan' && <FollowedGames games={games} />}
        {role === 'admin' && home.totals && <Totals totals={home.totals} />}
      </div>
      <div className="grid gap-3 sm:gap-4">
        {role === 'player' && player && <Standing percentiles={player.percentiles} />}
        {role === 'coach' && coach && <Arms arms={coach.arms} />}
        <News news={news} />
        <Discover players={discover} />
      </div>
    </div>
  )
}

function OwnPanels({ player, isChild }: { player: NonNullable<HomeAnswer['player']>; isChild: boolean }) {
  return (
    <>
      <Due tasks={player.due} />
      <OwnChanges changes={player.changes} percentiles={player.percentiles} />
      {!isChild && <MissingSteps missing={player.missing} />}
    </>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div role="alert" className="mx-auto mt-16 grid max-w-md justify-items-center gap-4 text-center">
      <h1 className="text-2xl font-bold">Home could not be loaded</h1>
      <p className="text-muted-foreground">{messageOf(error, 'The server did not say why.')}</p>
      <Button onClick={onRetry}>
        <RotateCw aria-hidden />
        Try again
      </Button>
    </div>
  )
}
