import { Link } from 'react-router'
import type { Leader } from '@/data/leaderboard/model'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { stateName } from '@/lib/us-states'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { JerseyTile } from '@/ui/jersey-tile'
import { PercentileChip } from '@/ui/percentile-chip'
import { percentileHeat } from '@/ui/percentile-colors'
import { Loading, Skeleton } from '@/ui/section'
import { Sparkline, trailWords } from '@/ui/sparkline'
import { tryWords, type Stat, type Tab } from '@/features/leaderboard/stats'

type LeadersProps = { stat: Stat; tab: Tab; rows: readonly Leader[]; you: Leader | null; busy: boolean }

/** Below a table's width its columns become lines. */
const WIDE = 'max-md:hidden'

/** The ranked players, then those who lack tries. One's own row stands out, and stays in sight at the foot. */
export function Leaders({ stat, tab, rows, you, busy }: LeadersProps) {
  // Without any line the column is left out.
  const trails = rows.some(({ trail }) => trail !== null)
  const tries = tab === 'measured' ? null : tab === 'batting' ? 'PA' : 'IP'
  return (
    <div className="overflow-clip rounded-2xl border border-border bg-card">
      <table className={cn('w-full border-collapse text-sm', busy && 'opacity-60')} aria-busy={busy}>
        <caption className="sr-only">Players by {stat.label}</caption>
        <thead className="sticky top-13 z-10 bg-muted text-xs md:top-14 text-muted-foreground">
          <tr className="h-8">
            <Head className="w-12 pl-4 text-left">Rank</Head>
            <Head className="text-left">Player</Head>
            <Head className={cn('text-left', WIDE)}>Team</Head>
            <Head className={cn('text-left', WIDE)}>Pos</Head>
            <Head className={cn('text-right', WIDE)}>Class</Head>
            <Head className={cn('text-left', WIDE)}>State</Head>
            {tries ? (
              <Head className={cn('text-right', WIDE)}>{tries}</Head>
            ) : (
              <Head className={cn('text-right', WIDE)}>Measured</Head>
            )}
            {trails && <Head className={cn('text-left', WIDE)}>{tab === 'measured' ? 'Measurements' : 'By game'}</Head>}
            <Head className="pr-4 text-right max-md:whitespace-normal" sorted>
              {stat.label}
            </Head>
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row) => (
            <Row key={row.id} row={row} stat={stat} tab={tab} trails={trails} own={row.id === you?.id} />
          ))}
        </tbody>
      </table>
      {you && <OwnBar you={you} stat={stat} />}
    </div>
  )
}

function Head({ className, sorted = false, children }: { className: string; sorted?: boolean; children: string }) {
  return (
    <th scope="col" aria-sort={sorted ? 'other' : undefined} className={cn('px-2 font-semibold', className)}>
      {children}
    </th>
  )
}

type RowProps = { row: Leader; stat: Stat; tab: Tab; trails: boolean; own: boolean }

function Row({ row, stat, tab, trails, own }: RowProps) {
  const { rank, id, name, positions, team, state, tries, taken_at, trail } = row
  const sizes = tries === null ? shortDay(taken_at) : tryWords(tries, tab)
  return (
    <tr
      className={cn(
        'h-9 hover:bg-muted max-md:h-14',
        own && 'bg-secondary shadow-[inset_3px_0_0_var(--color-primary)]',
        rank === null && 'text-muted-foreground',
      )}
    >
      <td className="pl-4 font-semibold tabular-nums">{rank ?? <span aria-label="no rank">—</span>}</td>
      <th scope="row" className="px-2 text-left font-medium max-md:w-full">
        <span className="flex items-center gap-2.5">
          <JerseyTile name={name} className="size-6 text-[9px] max-md:size-9 max-md:text-xs" />
          <span className="min-w-0">
            <Link
              to={paths.playerById.replace(':id', id)}
              className="wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
            >
              {name}
            </Link>
            {own && <span className="ml-2 text-xs font-semibold text-primary">You</span>}
            <span className="block text-xs font-normal text-muted-foreground md:hidden">
              {[positions[0], row.class, state, sizes].filter(Boolean).join(' · ')}
            </span>
          </span>
        </span>
      </th>
      <td className={cn('max-w-48 truncate px-2 text-muted-foreground', WIDE)}>{team ?? '—'}</td>
      <td className={cn('px-2', WIDE)}>{positions[0] ?? '—'}</td>
      <td className={cn('px-2 text-right tabular-nums', WIDE)}>{row.class ?? '—'}</td>
      <td className={cn('px-2', WIDE)}>
        {state ? (
          <abbr title={stateName(state)} className="no-underline">
            {state}
          </abbr>
        ) : (
          '—'
        )}
      </td>
      <td className={cn('px-2 text-right whitespace-nowrap tabular-nums', WIDE)}>
        {tries === null ? sizes : sizes.replace(/ \w+$/, '')}
      </td>
      {trails && (
        <td className={cn('px-2', WIDE)}>
          {trail && <Sparkline values={trail} label={trailWords(trail, stat.format)} />}
        </td>
      )}
      <td className="pr-4 pl-2">
        <Value row={row} stat={stat} tab={tab} />
      </td>
    </tr>
  )
}

/** The number, with heat where it is a rate and has a rank. */
function Value({ row, stat, tab }: { row: Leader; stat: Stat; tab: Tab }) {
  const { rank, needs, value, percentile, source, verified } = row
  const hot = percentile !== null && !stat.amount
  return (
    <span className="flex items-center justify-end gap-2 whitespace-nowrap tabular-nums">
      {needs !== null && <span className="rounded bg-muted px-1.5 py-0.5 text-xs">needs {tryWords(needs, tab)}</span>}
      <strong
        className={cn(
          'rounded px-1.5 py-0.5 text-right font-display md:min-w-16',
          rank === null && 'font-normal',
          hot && 'text-foreground',
        )}
        style={hot ? { backgroundColor: percentileHeat(percentile) } : undefined}
      >
        {stat.format(value)}
      </strong>
      <Evidence source={source} verified={verified} />
      {percentile !== null && <PercentileChip percentile={percentile} />}
    </span>
  )
}

/** One's own row while it is out of view. */
function OwnBar({ you, stat }: { you: Leader; stat: Stat }) {
  return (
    <p className="sticky bottom-15 flex h-11 md:bottom-0 items-center gap-3 border-t-2 border-primary bg-secondary px-4 text-sm tabular-nums">
      <strong>{you.rank ?? '—'}</strong>
      <span className="truncate font-semibold">{you.name}</span>
      <span className="text-xs font-semibold text-primary">You</span>
      <span className="ml-auto flex items-center gap-2">
        <strong>{stat.format(you.value)}</strong>
        {you.percentile !== null && <PercentileChip percentile={you.percentile} />}
      </span>
    </p>
  )
}

export function LeadersSkeleton() {
  return (
    <Loading>
      <div className="divide-y divide-border overflow-hidden rounded-2xl border border-border bg-card">
        <div className="h-8 bg-muted" />
        {Array.from({ length: 15 }, (_, row) => (
          <div key={row} className="flex h-9 items-center gap-4 px-4 max-md:h-14">
            <Skeleton className="h-4 w-5" />
            <Skeleton className="size-6 rounded-full" />
            <Skeleton className="h-4 grow" />
            <Skeleton className="h-4 w-12" />
          </div>
        ))}
      </div>
    </Loading>
  )
}
