import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { percentilesQuery, type Percentile } from '@/data/players/queries'
import { comparedWith } from '@/lib/percentiles'
import { cn } from '@/ui/class-names'
import { PercentileChip } from '@/ui/percentile-chip'
import { Loading, Skeleton } from '@/ui/section'
import { numberText } from '@/features/players/model'
import { keyNumbers } from '@/features/players/percentile-blocks'

/** Short names for narrow cells; other metrics have their own. */
const LABELS: Readonly<Record<string, string>> = {
  avg: 'AVG',
  obp: 'OBP',
  slg: 'SLG',
  ops: 'OPS',
  era: 'ERA',
  whip: 'WHIP',
  k9: 'K/9',
  bb9: 'BB/9',
  exit_velocity_max: 'Max exit velo',
  sixty_yard_dash: '60-yard',
  infield_velocity: 'INF velo',
  outfield_velocity: 'OF velo',
  fastball_max: 'Fastball',
}

/** Up to five numbers on the lower edge of the head, each with its percentile. Its height is the same while it loads. */
export function KeyNumbers({ id, positions }: { id: string; positions: readonly string[] }) {
  const { data: rows, isPending, isError } = useQuery(percentilesQuery(id))
  if (isPending) {
    return (
      <Strip>
        <Loading>
          <Skeleton className="m-3 h-11" />
        </Loading>
      </Strip>
    )
  }
  const numbers = keyNumbers(rows ?? [], positions)
  if (isError || numbers.length === 0) {
    return (
      <Strip>
        <p className="grid h-full place-items-center px-4 text-center text-sm text-muted-foreground">
          {isError ? 'The numbers could not be loaded' : 'No numbers yet'}
        </p>
      </Strip>
    )
  }
  return (
    <Strip>
      <dl className="grid h-full auto-cols-fr max-sm:grid-cols-3 sm:grid-flow-col sm:divide-x sm:divide-border">
        {numbers.map((number, place) => (
          <Cell
            key={number.metric}
            number={number}
            className={cn(place > 2 && 'max-sm:border-t max-sm:border-border')}
          />
        ))}
      </dl>
    </Strip>
  )
}

function Strip({ children }: { children: ReactNode }) {
  return (
    <div className="relative z-1 mx-2 -mt-6.5 min-h-17 overflow-hidden rounded-xl border border-border bg-card sm:mx-5">
      {children}
    </div>
  )
}

function Cell({ number, className }: { number: Percentile; className?: string }) {
  const { metric, label, unit, percentile } = number
  return (
    <div className={cn('grid content-center gap-0.5 px-3 py-2 sm:px-4', className)}>
      <dt className="text-xs text-muted-foreground">{LABELS[metric] ?? label}</dt>
      <dd className="flex flex-wrap items-baseline gap-x-1 font-display text-lg/6 font-bold tabular-nums sm:text-2xl/7">
        {numberText(number)}
        {unit && <span className="font-sans text-xs font-normal text-muted-foreground">{unit}</span>}
        {percentile !== null && (
          <span className="self-center leading-none" title={comparedWith(number)}>
            <PercentileChip percentile={percentile} className="font-sans" />
            <span className="sr-only"> {comparedWith(number)}</span>
          </span>
        )}
      </dd>
    </div>
  )
}
