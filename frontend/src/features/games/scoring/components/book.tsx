import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ListOrdered, Repeat2, Undo2, Users } from 'lucide-react'
import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Link } from 'react-router'
import { half, phase, type Game, type GameRecord } from '@/data/games/model'
import { gameArmsQuery } from '@/data/games/arms'
import { GAMES_KEY, teamAthletesQuery } from '@/data/games/queries'
import { Scoreboard } from '@/features/games/components/scoreboard'
import { Blocked } from '@/features/games/scoring/components/blocked'
import { Current } from '@/features/games/scoring/components/current'
import { EditPlay } from '@/features/games/scoring/components/edit-play'
import { Finish } from '@/features/games/scoring/components/finish'
import { LineupForm } from '@/features/games/scoring/components/lineup-form'
import type { Sub } from '@/features/games/scoring/components/odd-plays'
import { Unlogged } from '@/features/games/scoring/components/pitching'
import { PlayLog } from '@/features/games/scoring/components/play-log'
import { Substitution } from '@/features/games/scoring/components/substitution'
import { SyncStatus } from '@/features/games/scoring/components/sync-status'
import { TroubleNotice } from '@/features/games/scoring/components/trouble'
import { pitchCheckOf, type PitchCheck } from '@/features/games/scoring/pitch-check'
import { carriedPitches, lastPlay, noPlay, pitchesWithout } from '@/features/games/scoring/pitches'
import { Scorebook, type BookState } from '@/features/games/scoring/scorebook'
import { END_OF_HALF, standingOf, withQueued, type Standing } from '@/features/games/scoring/standing'
import { paths } from '@/lib/paths'
import { randomId } from '@/lib/random-id'
import { Button } from '@/ui/button'
import { Loading, Problem, Skeleton } from '@/ui/section'

/** The scorebook of one game: opens it on this device, and shows nothing to tap before the plays so far are known. */
export function Book({ game, userId }: { game: Game; userId: string }) {
  const client = useQueryClient()
  const title = `${game.visitor_name} at ${game.home_name}`
  const book = useMemo(
    () =>
      new Scorebook(userId, game.id, title, () => void client.invalidateQueries({ queryKey: [...GAMES_KEY, game.id] })),
    [client, game.id, title, userId],
  )
  useEffect(() => {
    void book.start()
    return () => book.stop()
  }, [book])
  const state = useSyncExternalStore(book.subscribe, book.read)
  const arms = useQuery(gameArmsQuery(game.id, userId)).data
  useEffect(() => {
    if (arms && state.ready) void book.keepArms(arms)
  }, [arms, book, state.ready])
  return (
    <div className="mx-auto grid w-full max-w-xl grid-cols-1 gap-4 pb-24">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h1 className="min-w-0 text-xl font-bold wrap-anywhere">
          <Link to={paths.gameById.replace(':id', game.id)} className="underline-offset-4 hover:underline">
            {title}
          </Link>
        </h1>
        <SyncStatus state={state} />
      </div>
      {state.blocked && <Blocked book={book} reason={state.blocked} />}
      {state.blocked !== 'tab' && <Pages game={game} book={book} state={state} />}
    </div>
  )
}

/** The plays so far; null while they are not known, or older than the game that was loaded. */
function recordsOf({ ready, saved, queued, tried, revision }: BookState, game: Game): GameRecord[] | null {
  return ready && saved && (tried || revision >= game.revision) ? withQueued(saved, queued) : null
}

type PagesProps = { game: Game; book: Scorebook; state: BookState }

function Pages({ game, book, state }: PagesProps) {
  const records = useMemo(() => recordsOf(state, game), [state, game])
  if (records) return <Scoring game={game} book={book} state={state} records={records} />
  if (state.blocked) return null
  if (state.trouble) return <TroubleNotice book={book} state={state} game={game} />
  if (state.status === 'offline') {
    return (
      <div role="alert" className="rounded-xl bg-accent-soft p-4">
        This device does not have the plays of this game yet. Scoring starts as soon as the server can be reached.
      </div>
    )
  }
  return (
    <Loading>
      <Skeleton className="h-24 rounded-2xl" />
      <Skeleton className="mt-4 h-96 rounded-2xl" />
    </Loading>
  )
}

/** In these states plays can be entered only after the scorer resumes the game. */
const STOPPED = ['final', 'suspended']

type Panel = 'play' | 'lineups' | 'sub' | 'plays' | 'edit' | 'finish'

function Scoring({ game, book, state, records }: PagesProps & { records: readonly GameRecord[] }) {
  const [chosen, setPanel] = useState<Panel>('play')
  const [wanted, setWanted] = useState<Sub | null>(null)
  const [edited, setEdited] = useState<string | null>(null)
  const now = useMemo(() => standingOf(game, records), [game, records])
  const started = [...game.athletes.values()].some(({ order }) => order !== null)
  const panel = !started ? 'lineups' : chosen === 'play' && STOPPED.includes(game.status) ? 'finish' : chosen
  // The server knows all rules, this device only regulation and walk-off.
  const decided = now.decided || (state.decided && state.queued.length === 0)
  const back = () => setPanel('play')
  const openSub = (sub: Sub | null) => {
    setWanted(sub)
    setPanel('sub')
  }
  const check = pitchCheckOf(game, book, records)
  const { pitches, latest, setPitches, keepPitches, undo, remove, substitute, endHalf } = actionsOf(
    book,
    state,
    records,
    now,
  )
  return (
    <>
      <Scoreboard
        visitor_name={game.visitor_name}
        home_name={game.home_name}
        runs={now.score}
        phase={STOPPED.includes(game.status) ? phase(game) : half(now.inning, now.batting, game.home_bats_first)}
        live={game.status !== 'final'}
        bases={now.bases}
        outs={now.outs}
      />
      <TroubleNotice book={book} state={state} game={game} />
      <Unlogged book={book} state={state} />
      {panel === 'lineups' ? (
        <Lineups game={game} book={book} check={check} onDone={back} />
      ) : panel === 'sub' ? (
        <Substitution {...{ game, records, wanted, now, check }} onSub={substitute} onDone={back} />
      ) : panel === 'plays' ? (
        <PlayLog
          records={records}
          game={game}
          onEdit={(id) => {
            setEdited(id)
            setPanel('edit')
          }}
          onRemove={remove}
          onDone={back}
        />
      ) : panel === 'edit' && edited ? (
        <EditPlay game={game} book={book} records={records} id={edited} onDone={() => setPanel('plays')} />
      ) : panel === 'finish' ? (
        <Finish game={game} book={book} state={state} decided={decided} onDone={back} />
      ) : (
        <Current
          {...{ game, book, state, records, now, decided, pitches, latest }}
          onPitches={setPitches}
          onSub={(sub) => openSub(sub ?? null)}
          onEndHalf={() => void endHalf()}
          onFinish={() => void keepPitches().then((kept) => kept && setPanel('finish'))}
          onDone={back}
        />
      )}
      <Tools onUndo={undo} onPanel={(one) => (one === 'sub' ? openSub(null) : setPanel(one))} started={started} />
    </>
  )
}

/** The pitches of the unfinished plate appearance, and what the scorer can do besides entering a play. */
function actionsOf(book: Scorebook, state: BookState, records: readonly GameRecord[], now: Standing) {
  const last = records.at(-1)
  const play = lastPlay(records)
  const carried = carriedPitches(records)
  const pitches = state.pitches.after === (play?.id ?? null) ? state.pitches.text : carried
  const latest = () => book.pitchesAfter(play?.id ?? null) ?? carried
  const setPitches = (text: string) => void book.pitch(play?.id ?? null, text)
  // A pitch is undone before a play.
  const undo = () => {
    if (pitches.length > carried.length) setPitches(pitches.slice(0, -1))
    else if (last) void remove(last)
  }
  const remove = (record: GameRecord) => {
    const goesOn = pitchesWithout(records, record, latest())
    const done = book.remove(record.id)
    if (goesOn !== null) void book.pitch(lastPlay(records.filter((one) => one !== record))?.id ?? null, goesOn)
    return done
  }
  // Writes down the pitches so far, which are of the players who are in the game now.
  const keepPitches = async () => {
    const thrown = latest()
    if (thrown === carried || !now.batter) return { after: play?.id ?? null }
    const after = randomId()
    if (!(await book.add(noPlay(now, thrown), null, after))) return null
    void book.pitch(after, `${thrown}.`)
    return { after }
  }
  const substitute = async (record: string) => (await keepPitches()) !== null && book.add(record, null)
  const endHalf = async () => {
    const kept = await keepPitches()
    if (kept && (await book.add(END_OF_HALF, null))) void book.pitch(kept.after, '')
  }
  const isUndoable = last !== undefined || pitches !== ''
  return { pitches, latest, setPitches, keepPitches, undo: isUndoable ? undo : undefined, remove, substitute, endHalf }
}

type ToolsProps = {
  /** Absent if there is nothing to undo. */
  onUndo: (() => void) | undefined
  onPanel: (panel: Panel) => void
  started: boolean
}

function Tools({ onUndo, onPanel, started }: ToolsProps) {
  return (
    <nav aria-label="Scorebook" className="fixed inset-x-0 bottom-0 z-30 border-t border-border bg-card">
      <div className="mx-auto grid max-w-xl grid-cols-4">
        <Tool icon={<Undo2 aria-hidden />} text="Undo" disabled={!onUndo} onClick={() => onUndo?.()} />
        <Tool icon={<Repeat2 aria-hidden />} text="Sub" disabled={!started} onClick={() => onPanel('sub')} />
        <Tool icon={<ListOrdered aria-hidden />} text="Plays" disabled={!started} onClick={() => onPanel('plays')} />
        <Tool icon={<Users aria-hidden />} text="Lineups" onClick={() => onPanel('lineups')} />
      </div>
    </nav>
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

type LineupsProps = { game: Game; book: Scorebook; check: PitchCheck; onDone: () => void }

function Lineups({ game, book, check, onDone }: LineupsProps) {
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
  return (
    <LineupForm
      game={game}
      roster={roster.data}
      check={check}
      onSave={(lineups) => book.save({ lineups })}
      onDone={onDone}
    />
  )
}
