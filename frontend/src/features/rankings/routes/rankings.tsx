import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Rankings, Ranked, RankView, Run } from '@/data/rankings/model'
import { useStartRun } from '@/data/rankings/mutations'
import { loadRanked, rankingsQuery } from '@/data/rankings/queries'
import { roleQuery } from '@/data/role/queries'
import { download } from '@/lib/download'
import { messageOf } from '@/lib/errors'
import { count, shortDay } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { PageHeader, Problem } from '@/ui/section'
import { toCsv } from '@/ui/table/model'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { toast } from '@/ui/toast/toast-state'
import { Filters } from '@/features/rankings/components/filters'
import { Places, PlacesSkeleton } from '@/features/rankings/components/places'
import { Reading } from '@/features/rankings/components/reading'
import { WeightsPanel } from '@/features/rankings/components/weights'
import { Why } from '@/features/rankings/components/why'
import { FILE_COLUMNS, parseView, writeView } from '@/features/rankings/model'

/** At once, so that a control does not spring back. */
const CHANGING = { replace: true, preventScrollReset: true, flushSync: true } as const

type Change = (part: Partial<RankView>) => void

/** `/rankings`: public players and teams by the last run. The address says whom, and by which weights. */
export default function RankingsScreen() {
  usePageTitle('Rankings')
  const [parameters, setParameters] = useSearchParams()
  const view = parseView(parameters)
  const change: Change = (part) => setParameters((now) => writeView({ ...parseView(now), ...part }), CHANGING)
  return (
    <Tabs value={view.kind} onValueChange={(kind) => change({ kind: kind === 'teams' ? 'teams' : 'players' })}>
      <PageHeader title="Rankings">
        <TabsList aria-label="Whom" className="w-52">
          <TabsTrigger value="players">Players</TabsTrigger>
          <TabsTrigger value="teams">Teams</TabsTrigger>
        </TabsList>
      </PageHeader>
      <TabsContent value={view.kind} className="mt-4 grid gap-4">
        <List key={view.kind} view={view} change={change} />
      </TabsContent>
    </Tabs>
  )
}

function List({ view, change }: { view: RankView; change: Change }) {
  const query = useInfiniteQuery(rankingsQuery(view))
  const [weighing, setWeighing] = useState(view.weights !== null)
  const list = query.data?.pages[0]
  const run = list?.run ?? null
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Filters
          view={view}
          seasons={list?.seasons ?? []}
          season={view.season ?? run?.season ?? null}
          onChange={(part) => change({ filters: { ...view.filters, ...part } })}
          onSeason={(season) => change({ season })}
        />
        <div className="flex min-h-10 flex-wrap items-center gap-2">
          {run && (
            <>
              <p role="status" className="mr-1 text-sm text-muted-foreground tabular-nums max-sm:w-full">
                {shortDay(run.created_at)} · {counted(list?.total ?? 0, view.kind)}
              </p>
              {view.kind === 'players' && (
                <Button
                  variant="outline"
                  aria-expanded={weighing}
                  aria-controls="weights"
                  onClick={() => setWeighing(!weighing)}
                >
                  <SlidersHorizontal aria-hidden />
                  Weights
                </Button>
              )}
              <FileButton view={view} disabled={rows.length === 0} />
            </>
          )}
          <StartButton view={view} />
        </div>
      </div>
      {run && weighing && view.kind === 'players' && (
        <WeightsPanel run={run} weights={view.weights} onChange={(weights) => change({ weights })} />
      )}
      {query.isError && (
        <Problem text="The rankings could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && <PlacesSkeleton />}
      {list && !run && <NoRun season={view.season} onLatest={() => change({ season: null })} />}
      {list && run && rows.length + list.provisional.length === 0 && <Nobody list={list} view={view} change={change} />}
      {list && run && rows.length + list.provisional.length > 0 && (
        <Ranking list={list} run={run} rows={rows} view={view} busy={query.isPlaceholderData} />
      )}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="justify-self-center"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  )
}

const counted = (total: number, kind: RankView['kind']) => `${count(total)} ${total === 1 ? kind.slice(0, -1) : kind}`

type RankingProps = { list: Rankings<Ranked>; run: Run; rows: readonly Ranked[]; view: RankView; busy: boolean }

/** The list, and beside it why the chosen one is there: the reader's own row first. */
function Ranking({ list, run, rows, view, busy }: RankingProps) {
  const { you } = list
  const [chosen, setChosen] = useState<string | null>()
  const byDefault = you ?? rows[0] ?? list.provisional[0]
  const all = [...rows, ...(you ? [you] : []), ...list.provisional]
  const shown = chosen === null ? undefined : all.find(({ id }) => id === chosen)
  // On a narrow screen nothing is open until it is asked for.
  const beside = shown ?? byDefault
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-3">
        <Places
          rows={rows}
          // Below the last ranked one.
          provisional={rows.length < list.total ? [] : list.provisional}
          run={run}
          weights={view.weights}
          youId={you?.id}
          chosen={shown?.id}
          onChoose={(id) => setChosen(id === shown?.id ? null : id)}
          busy={busy}
        />
        <Foot list={list} view={view} complete={rows.length >= list.total} />
      </div>
      <aside className="grid gap-4">
        {beside && (
          <div className="overflow-clip rounded-2xl border border-border bg-card max-xl:hidden">
            <Why row={beside} run={run} weights={view.weights} />
          </div>
        )}
        <Reading kind={view.kind} run={run} />
      </aside>
    </div>
  )
}

/** What the list leaves out. */
function Foot({ list, view, complete }: { list: Rankings<Ranked>; view: RankView; complete: boolean }) {
  const { unranked, pools, you, next, provisional } = list
  const hidden = unranked - (complete ? provisional.length : 0)
  const words =
    view.kind === 'teams'
      ? [
          hidden > 0 && `${counted(hidden, 'teams')} with too few games are not shown yet.`,
          (pools ?? 0) > 1 && 'Not all of these teams are connected by games: compare within a league.',
        ]
      : [
          unranked > 0 && `${counted(unranked, 'players')} with less than half of the weights measured: no rank.`,
          you?.rank === null && 'You are one of them: one more verified number may be enough.',
          !next && 'Private profiles and players under 14 on January 1 are not ranked.',
        ]
  return <p className="text-sm text-muted-foreground">{words.filter(Boolean).join(' ')}</p>
}

function StartButton({ view: { kind } }: { view: RankView }) {
  const { user } = useSession()
  const { data: role } = useQuery({ ...roleQuery(user?.id ?? ''), enabled: user !== null })
  const start = useStartRun()
  if (role !== 'admin') return null
  return (
    <Button disabled={start.isPending} onClick={() => start.mutate(kind)}>
      {start.isPending ? 'Computing…' : `Rate the ${kind} now`}
    </Button>
  )
}

function FileButton({ view, disabled }: { view: RankView; disabled: boolean }) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const rows = await loadRanked(view)
      download(`rankings-${view.kind}.csv`, `\uFEFF${toCsv(rows, FILE_COLUMNS)}`, 'text/csv;charset=utf-8')
    } catch (error) {
      toast({ variant: 'error', title: 'The file could not be made', description: messageOf(error, 'Try again.') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button variant="outline" disabled={disabled || busy} onClick={() => void save()}>
      <Download aria-hidden />
      CSV
    </Button>
  )
}

function NoRun({ season, onLatest }: { season: number | null; onLatest: () => void }) {
  if (season !== null) {
    return (
      <Blank title={`No ranking of ${season} has been computed`}>
        <Button variant="outline" onClick={onLatest}>
          Show the latest season
        </Button>
      </Blank>
    )
  }
  return (
    <Blank title="No ranking has been computed yet">
      <Button asChild variant="outline">
        <Link to={paths.leaderboard}>Open the leaderboard</Link>
      </Button>
    </Blank>
  )
}

/** Says what hides everybody, and offers to show them. */
function Nobody({ list, view, change }: { list: Rankings<Ranked>; view: RankView; change: Change }) {
  const filtered = Object.values(view.filters).some(Boolean)
  return (
    <Blank title={`No ${view.kind} to rank here`}>
      {list.unranked > 0 && (
        <p className="text-sm text-muted-foreground">
          {counted(list.unranked, 'players')} with less than half of the weights measured.
        </p>
      )}
      {filtered && (
        <Button
          variant="outline"
          onClick={() => change({ filters: { state: '', class: '', position: '', league: '' } })}
        >
          Clear the filters
        </Button>
      )}
    </Blank>
  )
}

function Blank({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border px-4 py-8 text-center">
      <p className="font-medium">{title}</p>
      {children}
    </div>
  )
}
