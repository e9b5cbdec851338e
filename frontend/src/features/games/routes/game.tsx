import { useQuery } from '@tanstack/react-query'
import { ClipboardPen, Send } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { phase, shortNameOf, type Game } from '@/data/games/model'
import { gameQuery, playsQuery, useLiveGame } from '@/data/games/queries'
import { canScoreQuery } from '@/data/games/scoring'
import { AtBat } from '@/features/games/components/at-bat'
import { BoxScore } from '@/features/games/components/box-score'
import { FinalStory } from '@/features/games/components/final-story'
import { GamePaper } from '@/features/games/components/game-paper'
import { LineScoreTable } from '@/features/games/components/line-score'
import { PlayList } from '@/features/games/components/play-list'
import { Scoreboard } from '@/features/games/components/scoreboard'
import { SprayChart } from '@/features/games/components/spray-chart'
import { WinChart } from '@/features/games/components/win-chart'
import { day } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import type { Prefetch } from '@/lib/prefetch'
import { usePrinting } from '@/lib/printing'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Card, Empty, Loading, PageHeader, Problem, RowsSkeleton, Skeleton } from '@/ui/section'

/** Milliseconds between two looks at a live game, in case its channel is lost. */
const LOOK_AGAIN = 60_000

const idOf = (pathname: string) => pathname.split('/').find((part) => /^[0-9a-f-]{36}$/i.test(part))

export const prefetch: Prefetch = (begin, { pathname }) => {
  const id = idOf(pathname)
  if (!id) return
  void begin(gameQuery(id))
  void begin(playsQuery(id))
}

/** `/games/{id}`: a game for everybody who may watch, live. */
export default function GameScreen() {
  const { id = '' } = useParams()
  // Another text than an id is no game; the database would call it an error.
  return idOf(`/${id}`) ? <Watched id={id} /> : <NoGame />
}

function Watched({ id }: { id: string }) {
  const query = useQuery({
    ...gameQuery(id),
    refetchInterval: ({ state }) => (state.data?.status === 'live' ? LOOK_AGAIN : false),
  })
  const game = query.data
  const plays = useQuery({ ...playsQuery(id), enabled: Boolean(game) })
  useLiveGame(game?.id)
  const printing = usePrinting()
  usePageTitle(game ? `${game.visitor_name} at ${game.home_name}` : 'Game')
  if (query.isPending) return <GameSkeleton />
  if (!game && query.isError) {
    return (
      <Frame>
        <Problem text="The game could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      </Frame>
    )
  }
  if (!game) return <NoGame />
  return (
    <>
      {printing && <GamePaper game={game} records={plays.data ?? []} />}
      <div className="grid grid-cols-1 gap-6 print:hidden">
        <PageHeader
          title={`${game.visitor_name} at ${game.home_name}`}
          text={[day(game.played_on), game.place].filter(Boolean).join(' · ')}
        >
          <ShareLink game={game} />
          <ScoreLink game={game} />
        </PageHeader>
        <Scoreboard
          visitor_name={game.visitor_name}
          home_name={game.home_name}
          runs={[game.visitor_runs, game.home_runs]}
          phase={phase(game)}
          live={game.status === 'live'}
          bases={[game.on_first, game.on_second, game.on_third]}
          outs={game.outs}
        />
        {/* The announcement of a play for screen readers. */}
        <p className="sr-only" role="status">
          {`${phase(game)}. ${game.visitor_name} ${game.visitor_runs}, ${game.home_name} ${game.home_runs}.`}
        </p>
        <div className="grid grid-cols-1 items-start gap-6 xl:grid-cols-[3fr_2fr]">
          <div className="grid min-w-0 grid-cols-1 gap-6">
            {game.status === 'live' && <AtBat game={game} />}
            <Card title="Line score">
              <LineScoreTable game={game} />
            </Card>
            {game.status === 'final' && plays.data && <FinalStory game={game} records={plays.data} />}
            {plays.data && <WinChart game={game} records={plays.data} />}
            {plays.data && <SprayChart game={game} records={plays.data} />}
            <BoxScore game={game} />
          </div>
          <Plays game={game} />
        </div>
      </div>
    </>
  )
}

function Plays({ game }: { game: Game }) {
  const query = useQuery(playsQuery(game.id))
  const [scoring, setScoring] = useState(false)
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  const plays = query.data?.filter(({ outcome, record }) => outcome !== null || record.startsWith('sub,')) ?? []
  const filter = (
    <div className="flex gap-1 rounded-xl bg-muted p-1" role="group" aria-label="Which plays">
      {[false, true].map((only) => (
        <Button
          key={String(only)}
          size="sm"
          variant={scoring === only ? 'secondary' : 'ghost'}
          aria-pressed={scoring === only}
          onClick={() => setScoring(only)}
        >
          {only ? 'Scoring' : 'All'}
        </Button>
      ))}
    </div>
  )
  return (
    <Card title="Plays" aside={filter}>
      {query.isPending && (
        <Loading>
          <RowsSkeleton rows={6} />
        </Loading>
      )}
      {query.isError && (
        <Problem text="The plays could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data && plays.length === 0 && (
        <Empty>
          {game.status === 'final'
            ? 'This game has no plays.'
            : 'No play yet. It appears here as soon as it is scored.'}
        </Empty>
      )}
      {plays.length > 0 && scoring && !plays.some(({ outcome }) => outcome?.runs) && (
        <Empty>Nobody has scored yet.</Empty>
      )}
      <PlayList records={plays} name={name} homeFirst={game.home_bats_first} scoring={scoring} />
    </Card>
  )
}

/** For the coaches of the team. */
function ScoreLink({ game }: { game: Game }) {
  const { user } = useSession()
  const { data: mayScore } = useQuery({ ...canScoreQuery(game.owner_team_id, user?.id), enabled: Boolean(user) })
  if (!mayScore || game.status === 'cancelled') return null
  return (
    <Button asChild>
      <Link to={paths.scoreGame.replace(':id', game.id)}>
        <ClipboardPen aria-hidden />
        Score this game
      </Link>
    </Button>
  )
}

/** Takes the final score to the timeline, with words of one's own. */
function ShareLink({ game }: { game: Game }) {
  const { user } = useSession()
  if (!user || game.status !== 'final') return null
  return (
    <Button asChild variant="outline">
      <Link to={`${paths.timeline}?game=${game.id}`}>
        <Send aria-hidden />
        Post the result
      </Link>
    </Button>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className="grid gap-6">
      <PageHeader title="Game" />
      {children}
    </div>
  )
}

function NoGame() {
  usePageTitle('Game')
  return (
    <Frame>
      <Empty>There is no such game, or only the teams and their families may watch it.</Empty>
    </Frame>
  )
}

function GameSkeleton() {
  return (
    <Frame>
      <Loading>
        <div className="grid gap-6">
          <Skeleton className="h-24 rounded-2xl sm:h-32" />
          <Skeleton className="h-40 rounded-2xl" />
          <Skeleton className="h-96 rounded-2xl" />
        </div>
      </Loading>
    </Frame>
  )
}
