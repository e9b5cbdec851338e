import { ArrowDown, ArrowUp } from 'lucide-react'
import { Fragment } from 'react'
import { isTeam, type Ranked, type Run, type Weights } from '@/data/rankings/model'
import { decimal } from '@/lib/format'
import { cn } from '@/ui/class-names'
import { JerseyTile } from '@/ui/jersey-tile'
import { Loading, Skeleton } from '@/ui/section'
import { Interval, Proof, Sparkline } from '@/features/rankings/components/interval'
import { record, Why } from '@/features/rankings/components/why'
import { axisOf, likely, tiers, type Axis } from '@/features/rankings/model'

type PlacesProps = {
  rows: readonly Ranked[]
  /** Teams with too few games, below the ranked ones. */
  provisional: readonly Ranked[]
  run: Run
  weights: Weights | null
  youId: string | undefined
  /** The row whose parts are shown. */
  chosen: string | undefined
  onChoose: (id: string) => void
  busy: boolean
}

const COLUMNS = 6
/** Below a table's width its columns become lines. */
const WIDE = 'max-md:hidden'

/** The list in tiers. A row's button shows what its rating is made of: beside the list, or on a narrow screen under the row. */
export function Places({ rows, provisional, run, weights, youId, chosen, onChoose, busy }: PlacesProps) {
  const axis = axisOf([...rows, ...provisional])
  const starts = tiers(rows)
  const teams = rows.some(isTeam) || provisional.length > 0
  // A line needs three runs, a move two.
  const runs = Math.max(1, ...rows.map(({ history }) => history.length))
  const place = (row: Ranked) => (
    <Fragment key={row.id}>
      <PlaceRow
        row={row}
        axis={axis}
        own={row.id === youId}
        chosen={row.id === chosen}
        runs={runs}
        moved={runs > 1 || weights !== null}
        onChoose={onChoose}
      />
      {row.id === chosen && (
        <tr className="bg-card xl:hidden">
          <td colSpan={COLUMNS}>
            <Why row={row} run={run} weights={weights} />
          </td>
        </tr>
      )}
    </Fragment>
  )
  return (
    <div className="overflow-clip rounded-2xl border border-border bg-card">
      <table className={cn('w-full border-collapse text-sm', busy && 'opacity-60')} aria-busy={busy}>
        <caption className="sr-only">{teams ? 'Teams by rating' : 'Players by rating'}</caption>
        <thead className="sticky top-16 z-10 bg-muted text-xs text-muted-foreground">
          <tr className="h-8">
            <Head className="w-20 pl-4 text-left">Rank</Head>
            <Head className="text-left">{teams ? 'Team' : 'Player'}</Head>
            <Head className="text-right">Rating</Head>
            <th scope="col" className={cn('w-[36%] px-6', WIDE)}>
              <span className="sr-only">Range</span>
              <Ticks axis={axis} />
            </th>
            {runs >= 3 && <Head className={cn('text-left', WIDE)}>{`${runs} runs`}</Head>}
            <Head className={cn('pr-4 text-right', WIDE)}>{teams ? 'Record' : 'Proof'}</Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row, index) => (
            <Fragment key={row.id}>
              {starts.includes(index) && <TierHead tier={starts.indexOf(index)} />}
              {place(row)}
            </Fragment>
          ))}
          {provisional.length > 0 && (
            <GroupHead title="Provisional" text={`Fewer than ${run.params.least_games ?? 10} games: no rank yet.`} />
          )}
          {provisional.map(place)}
        </tbody>
      </table>
    </div>
  )
}

function TierHead({ tier }: { tier: number }) {
  return (
    <GroupHead title={`Tier ${tier + 1}`} text={tier === 0 ? 'Places inside a tier are not certain.' : undefined} />
  )
}

function GroupHead({ title, text }: { title: string; text?: string }) {
  return (
    <tr className="h-8 bg-background">
      <th scope="rowgroup" colSpan={COLUMNS} className="px-4 text-left text-xs">
        {title}
        {text && <span className="ml-2 font-normal text-muted-foreground">{text}</span>}
      </th>
    </tr>
  )
}

function Head({ className, children }: { className?: string; children: string }) {
  return (
    <th scope="col" className={cn('px-2 font-semibold', className)}>
      {children}
    </th>
  )
}

function Ticks({ axis }: { axis: Axis }) {
  return (
    <span aria-hidden className="relative block h-4 font-normal tabular-nums">
      {axis.ticks.map((tick) => (
        <span key={tick} className="absolute -translate-x-1/2" style={{ left: `${axis.at(tick)}%` }}>
          {tick}
        </span>
      ))}
    </span>
  )
}

type RowProps = {
  row: Ranked
  axis: Axis
  own: boolean
  chosen: boolean
  /** How many runs there are at most. */
  runs: number
  /** Whether there is another list to compare the places with. */
  moved: boolean
  onChoose: (id: string) => void
}

function PlaceRow({ row, axis, own, chosen, runs, moved, onChoose }: RowProps) {
  const facts = isTeam(row) ? [row.state] : [row.positions[0], row.class, row.state]
  return (
    <tr
      className={cn(
        'h-12 hover:bg-muted',
        own && 'bg-secondary',
        chosen && 'shadow-[inset_3px_0_0_var(--color-primary)]',
      )}
    >
      <td className="pl-4 tabular-nums">
        <span className="flex items-center gap-2">
          <strong className="w-7 text-base">{row.rank ?? <span aria-label="no rank">—</span>}</strong>
          {moved && row.rank !== null && <Move row={row} />}
        </span>
      </td>
      <th scope="row" className="px-2 py-1.5 text-left font-medium">
        <button
          type="button"
          aria-expanded={chosen}
          className="flex w-full items-center gap-2.5 rounded text-left"
          onClick={() => onChoose(row.id)}
        >
          <JerseyTile name={row.name} className="size-8 text-[11px] max-sm:hidden" />
          <span className="min-w-0">
            <span className="wrap-anywhere">{row.name}</span>
            {own && <span className="ml-2 text-xs font-semibold text-primary">You</span>}
            <span className="block text-xs font-normal text-muted-foreground">
              {[...facts, row.rank !== null && likely(row)].filter(Boolean).join(' · ')}
            </span>
            <span className="mt-1 block md:hidden">
              <Interval value={row.value} sd={row.sd} axis={axis} />
            </span>
          </span>
        </button>
      </th>
      <td className="px-2 text-right align-middle max-md:pr-4">
        <strong className="tabular-nums">{decimal(row.value, isTeam(row) ? 0 : 1)}</strong>
      </td>
      <td className={cn('px-6', WIDE)}>
        <Interval value={row.value} sd={row.sd} axis={axis} />
      </td>
      {runs >= 3 && (
        <td className={cn('px-2', WIDE)}>
          <Sparkline values={row.history} />
        </td>
      )}
      <td className={cn('pr-4 text-right whitespace-nowrap tabular-nums', WIDE)}>
        {isTeam(row) ? record(row) : <Proof parts={row.parts} />}
      </td>
    </tr>
  )
}

/** Places won or lost since the run before, or by the reader's own weights. */
function Move({ row: { rank, previous } }: { row: Ranked }) {
  if (rank === null || previous === null) return <span className="text-xs text-muted-foreground">New</span>
  const up = previous - rank
  if (up === 0) {
    return (
      <span className="text-xs text-muted-foreground">
        <span aria-hidden>–</span>
        <span className="sr-only">unchanged</span>
      </span>
    )
  }
  const Arrow = up > 0 ? ArrowUp : ArrowDown
  return (
    <span className={cn('inline-flex items-center text-xs font-semibold', up > 0 ? 'text-success' : 'text-accent')}>
      <Arrow aria-hidden className="size-3" />
      <span className="sr-only">{up > 0 ? 'up' : 'down'} </span>
      {Math.abs(up)}
    </span>
  )
}

export function PlacesSkeleton() {
  return (
    <Loading>
      <div className="divide-y divide-border overflow-hidden rounded-2xl border border-border bg-card">
        <div className="h-8 bg-muted" />
        {Array.from({ length: 12 }, (_, row) => (
          <div key={row} className="flex h-12 items-center gap-4 px-4">
            <Skeleton className="h-4 w-6" />
            <Skeleton className="size-8 rounded-full" />
            <Skeleton className="h-4 grow" />
            <Skeleton className="h-4 w-12" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
