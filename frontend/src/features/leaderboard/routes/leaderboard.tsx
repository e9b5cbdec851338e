import { useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { loadAllLeaders, leaderboardQuery, type Board } from '@/data/leaderboard/queries'
import { MOST, type LeaderView } from '@/data/leaderboard/model'
import { download } from '@/lib/download'
import { messageOf } from '@/lib/errors'
import { count } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { stateName } from '@/lib/us-states'
import { Button } from '@/ui/button'
import { PageHeader, Problem } from '@/ui/section'
import { toCsv } from '@/ui/table/model'
import { Tabs, TabsContent } from '@/ui/tabs'
import { toast } from '@/ui/toast/toast-state'
import { Controls, Qualifier, StatTabs, useStats } from '@/features/leaderboard/components/controls'
import { Histogram } from '@/features/leaderboard/components/histogram'
import { Leaders, LeadersSkeleton } from '@/features/leaderboard/components/leaders'
import { FILE_COLUMNS, groupWords, parseView, writeView } from '@/features/leaderboard/model'
import { firstOf, tabOf, TABS, type Stat } from '@/features/leaderboard/stats'

/** At once, so that a switch does not spring back. */
const CHANGING = { replace: true, preventScrollReset: true, flushSync: true } as const

/** `/leaderboard`: public players by a measurement or a season statistic. The address says all of it. */
export default function LeaderboardScreen() {
  usePageTitle('Leaderboard')
  const [parameters, setParameters] = useSearchParams()
  const view = parseView(parameters)
  const change = (part: Partial<LeaderView>) =>
    setParameters((now) => writeView({ ...parseView(now), ...part }), CHANGING)
  const query = useInfiniteQuery(leaderboardQuery(view))
  const board = query.data?.pages[0]
  // Until the answer arrives, the numbers of the view before are shown, under that view's name.
  const shown = board?.view.stat ?? view.stat
  const stat = useStats(tabOf(shown))?.find(({ name }) => name === shown)
  const rows = query.data?.pages.flatMap((page) => page.rows) ?? []
  return (
    <Tabs
      value={tabOf(view.stat)}
      onValueChange={(chosen) => {
        const tab = TABS.find((one) => one === chosen) ?? 'measured'
        change({ stat: firstOf[tab], minimum: null, season: null })
      }}
    >
      <PageHeader title="Leaderboard">
        <StatTabs />
      </PageHeader>
      <TabsContent value={tabOf(view.stat)} className="mt-4 grid gap-4">
        <Controls view={view} season={board?.season ?? null} onChange={change} />
        {query.isError && (
          <Problem
            text="The leaderboard could not be loaded."
            error={query.error}
            onRetry={() => void query.refetch()}
          />
        )}
        {(query.isPending || (board && !stat)) && <Waiting />}
        {board && stat && (
          <>
            <Summary stat={stat} minimum={view.minimum} board={board} onChange={change} />
            {rows.length === 0 ? (
              <Nobody board={board} onChange={change} />
            ) : (
              <Leaders stat={stat} tab={tabOf(shown)} rows={rows} you={board.you} busy={query.isPlaceholderData} />
            )}
            <Foot board={board} shown={rows.length} onChange={change} />
          </>
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
      </TabsContent>
    </Tabs>
  )
}

type PartProps = { board: Board; onChange: (part: Partial<LeaderView>) => void }

/** The distribution, who qualifies, and what the statistic means. */
function Summary({ stat, board, minimum, onChange }: PartProps & { stat: Stat; minimum: number | null }) {
  const { view } = board
  const tab = tabOf(view.stat)
  return (
    <section
      aria-label="Distribution"
      className="grid min-h-46 gap-x-8 gap-y-4 rounded-2xl border border-border bg-card p-4 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]"
    >
      {board.histogram ? (
        <Histogram
          key={stat.name}
          stat={stat}
          bars={board.histogram}
          average={board.average}
          you={board.you}
          lowerIsBetter={board.lower_is_better}
        />
      ) : (
        <p className="grid place-items-center rounded-xl border border-dashed border-border p-4 text-center text-sm text-muted-foreground">
          {count(board.qualified)} ranked. From 20 on, their distribution and percentiles are shown.
        </p>
      )}
      <div className="grid content-start gap-4">
        {tab !== 'measured' && (
          <Qualifier tab={tab} asked={minimum} board={board} onMinimum={(minimum) => onChange({ minimum })} />
        )}
        <p className="text-sm text-muted-foreground">
          <strong className="text-foreground">{stat.label}</strong> {stat.definition}
        </p>
        <p className="text-sm text-muted-foreground tabular-nums">
          {groupWords(view.filters, stateName)} · n = {count(board.qualified)}
        </p>
        <FileButton view={view} label={stat.label} disabled={board.qualified + board.unqualified === 0} />
      </div>
    </section>
  )
}

function FileButton({ view, label, disabled }: { view: LeaderView; label: string; disabled: boolean }) {
  const [busy, setBusy] = useState(false)
  async function save() {
    setBusy(true)
    try {
      const rows = await loadAllLeaders(view)
      download(`leaderboard-${view.stat}.csv`, `\uFEFF${toCsv(rows, FILE_COLUMNS(label))}`, 'text/csv;charset=utf-8')
    } catch (error) {
      toast({ variant: 'error', title: 'The file could not be made', description: messageOf(error, 'Try again.') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="outline"
      size="sm"
      className="justify-self-start"
      disabled={disabled || busy}
      onClick={() => void save()}
    >
      <Download aria-hidden />
      CSV
    </Button>
  )
}

/** Says what hides everybody, and offers to show them. */
function Nobody({ board, onChange }: PartProps) {
  const { unverified, view } = board
  const filtered = Object.values(view.filters).some(Boolean)
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border px-4 py-8 text-center">
      <p className="font-medium">{unverified > 0 ? 'No verified number yet' : 'Nobody is on this list'}</p>
      {unverified > 0 ? (
        <>
          <p className="text-sm text-muted-foreground">
            {unverified === 1 ? '1 player has' : `${count(unverified)} players have`} one that is not verified.
          </p>
          <Button onClick={() => onChange({ evidence: 'all' })}>Show all numbers</Button>
        </>
      ) : filtered ? (
        <Button
          variant="outline"
          onClick={() => onChange({ filters: { class: '', position: '', state: '', age: '' } })}
        >
          Clear the filters
        </Button>
      ) : (
        <p className="text-sm text-muted-foreground">Choose another season or statistic.</p>
      )}
    </div>
  )
}

/** What the list leaves out. */
function Foot({ board, shown, onChange }: PartProps & { shown: number }) {
  const { qualified, unqualified, unverified, you, young, view } = board
  if (shown === 0 && !young) return null
  const words = [
    qualified + unqualified > MOST && `The first ${count(MOST)} are listed.`,
    unverified > 0 && `${count(unverified)} more with numbers that are not verified.`,
    'Private profiles and players under 13 are in no list.',
    'Players under 14 on January 1 are ranked only in 14U.',
    !you && 'You are not on this one.',
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <p>{words.filter(Boolean).join(' ')}</p>
      {young && (
        <Button
          variant="outline"
          size="sm"
          onClick={() => onChange({ season: null, filters: { ...view.filters, class: '', age: '14u' } })}
        >
          Show 14U
        </Button>
      )}
    </div>
  )
}

function Waiting() {
  return (
    <>
      <div className="min-h-46 rounded-2xl border border-border bg-card" />
      <LeadersSkeleton />
    </>
  )
}
