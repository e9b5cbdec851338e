import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListOrdered, Repeat2, Undo2, Users } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import { half, nameOf, shortNameOf, type Game } from '@/data/games/model'
import { GAMES_KEY, gameQuery, teamAthletesQuery } from '@/data/games/queries'
import { canScoreQuery } from '@/data/games/scoring'
import { Scoreboard } from '@/features/games/components/scoreboard'
import { Finish } from '@/features/games/scoring/components/finish'
import { LineupForm } from '@/features/games/scoring/components/lineup-form'
import { PlayEntry } from '@/features/games/scoring/components/play-entry'
import { PlayLog } from '@/features/games/scoring/components/play-log'
import { Substitution } from '@/features/games/scoring/components/substitution'
import { SyncStatus } from '@/features/games/scoring/components/sync-status'
import { TroubleNotice } from '@/features/games/scoring/components/trouble'
import { Scorebook } from '@/features/games/scoring/scorebook'
import { standingOf, withQueued } from '@/features/games/scoring/standing'
import { words } from '@/features/games/words'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useReportUnsavedChange } from '@/lib/unsaved-changes'
import { Button } from '@/ui/button'
import { Empty, Loading, PageHeader, Problem, Skeleton } from '@/ui/section'

/** `/games/{id}/score`: for the coaches of the team. */
export default function ScoreScreen() {
  const { id = '' } = useParams()
  const { user } = useSession()
  usePageTitle('Scorebook')
  return user && <Loader id={id} userId={user.id} />
}

function Loader({ id, userId }: { id: string; userId: string }) {
  const query = useQuery(gameQuery(id))
  const game = query.data
  const allowed = useQuery({ ...canScoreQuery(game?.owner_team_id ?? null, userId), enabled: Boolean(game) })
  if (game && allowed.data) return <Book key={id} game={game} userId={userId} />
  const failed = query.isError ? query : allowed.isError ? allowed : null
  return (
    <div className="grid gap-6">
      <PageHeader title="Scorebook" />
      {failed ? (
        <Problem text="The game could not be loaded." error={failed.error} onRetry={() => void failed.refetch()} />
      ) : query.isPending || (game && allowed.isPending) ? (
        <Loading>
          <Skeleton className="h-96 rounded-2xl" />
        </Loading>
      ) : (
        <Empty>Only the coaches of the team score this game.</Empty>
      )}
    </div>
  )
}

type Panel = 'play' | 'lineups' | 'sub' | 'plays' | 'finish'

function Book({ game, userId }: { game: Game; userId: string }) {
  const client = useQueryClient()
  const book = useMemo(
    () => new Scorebook(userId, game.id, () => void client.invalidateQueries({ queryKey: [...GAMES_KEY, game.id] })),
    [client, game.id, userId],
  )
  useEffect(() => {
    void book.start()
    return () => book.stop()
  }, [book])
  const state = useSyncExternalStore(book.subscribe, book.read)
  const [chosen, setPanel] = useState<Panel>('play')
  const entry = { id: `score:${game.id}`, description: 'Plays that are not saved yet', location: 'Scorebook' }
  useReportUnsavedChange(entry, state.queued.length > 0)
  const records = useMemo(() => withQueued(state.saved ?? [], state.queued), [state.saved, state.queued])
  const now = useMemo(() => standingOf(game, records), [game, records])
  const started = [...game.athletes.values()].some(({ order }) => order !== null)
  const panel = !started ? 'lineups' : chosen
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  const last = records.at(-1)
  const back = () => setPanel('play')
  return (
    <div className="mx-auto grid w-full max-w-xl grid-cols-1 gap-4 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 text-xl font-bold wrap-anywhere">
          <Link to={paths.gameById.replace(':id', game.id)} className="underline-offset-4 hover:underline">
            {game.visitor_name} at {game.home_name}
          </Link>
        </h1>
        <SyncStatus state={state} />
      </div>
      <Scoreboard
        visitor_name={game.visitor_name}
        home_name={game.home_name}
        runs={now.score}
        phase={game.status === 'final' ? 'Final' : half(now.inning, now.batting, game.home_bats_first)}
        live={game.status !== 'final'}
        bases={now.bases}
        outs={now.outs}
      />
      <TroubleNotice book={book} state={state} game={game} />
      {!state.ready ? (
        <Loading>
          <Skeleton className="h-96 rounded-2xl" />
        </Loading>
      ) : panel === 'lineups' ? (
        <Lineups game={game} book={book} onDone={back} />
      ) : panel === 'sub' ? (
        <Substitution game={game} now={now} onSub={(record) => book.add(record, null)} onDone={back} />
      ) : panel === 'plays' ? (
        <PlayLog records={records} game={game} onRemove={(id) => book.remove(id)} onDone={back} />
      ) : panel === 'finish' || game.status === 'final' ? (
        <Finish game={game} book={book} state={state} decided={now.decided} onDone={back} />
      ) : (
        <>
          <Last text={last ? words(last, name) : null} retired={now.sideRetired && !now.decided} />
          {now.decided ? (
            <Finish game={game} book={book} state={state} decided onDone={back} />
          ) : (
            <>
              <p>
                <span className="font-semibold">{nameOf(game.athletes.get(now.batter ?? ''))}</span> bats against{' '}
                <span className="font-semibold">{nameOf(game.athletes.get(now.pitcher ?? ''))}</span>
              </p>
              <PlayEntry
                key={records.length}
                now={now}
                name={name}
                onPlay={(record, outcome) => book.add(record, outcome)}
              />
              <Button variant="ghost" className="h-12" onClick={() => setPanel('finish')}>
                End the game
              </Button>
            </>
          )}
        </>
      )}
      <nav aria-label="Scorebook" className="fixed inset-x-0 bottom-0 z-30 border-t border-border bg-card">
        <div className="mx-auto grid max-w-xl grid-cols-4">
          <Tool
            icon={<Undo2 aria-hidden />}
            text="Undo"
            disabled={!last}
            onClick={() => last && void book.remove(last.id)}
          />
          <Tool icon={<Repeat2 aria-hidden />} text="Sub" disabled={!started} onClick={() => setPanel('sub')} />
          <Tool icon={<ListOrdered aria-hidden />} text="Plays" disabled={!started} onClick={() => setPanel('plays')} />
          <Tool icon={<Users aria-hidden />} text="Lineups" onClick={() => setPanel('lineups')} />
        </div>
      </nav>
    </div>
  )
}

type ToolProps = { icon: ReactNode; text: string; disabled?: boolean; onClick: () => void }

function Tool({ icon, text, disabled = false, onClick }: ToolProps) {
  return (
    <Button variant="ghost" className="h-16 flex-col gap-1 rounded-none text-xs" disabled={disabled} onClick={onClick}>
      {icon}
      {text}
    </Button>
  )
}

/** The last play in words, and the end of a half-inning. */
function Last({ text, retired }: { text: { title: string; detail: string } | null; retired: boolean }) {
  return (
    <p role="status" className="min-h-12 rounded-xl bg-muted px-4 py-3">
      {text ? (
        <>
          <span className="font-semibold">{text.title}.</span> {text.detail && `${text.detail}. `}
          {retired && 'Side retired.'}
        </>
      ) : (
        'The first play of the game.'
      )}
    </p>
  )
}

function Lineups({ game, book, onDone }: { game: Game; book: Scorebook; onDone: () => void }) {
  const side = game.owner_team_id === game.visitor_team_id ? 0 : 1
  const roster = useQuery({
    ...teamAthletesQuery(game.owner_team_id ?? '', side),
    enabled: game.owner_team_id !== null,
  })
  if (roster.isPending) {
    return (
      <Loading>
        <Skeleton className="h-96 rounded-2xl" />
      </Loading>
    )
  }
  if (roster.isError) {
    return <Problem text="The roster could not be loaded." error={roster.error} onRetry={() => void roster.refetch()} />
  }
  return <LineupForm game={game} roster={roster.data} onSave={(lineups) => book.save({ lineups })} onDone={onDone} />
}
