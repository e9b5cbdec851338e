import { useQuery } from '@tanstack/react-query'
import { Users } from 'lucide-react'
import { useId } from 'react'
import { measurementsQuery, percentilesQuery, type Percentile } from '@/data/players/queries'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { PercentileSlider } from '@/ui/percentile-slider'
import { Empty, Section, Skeleton } from '@/ui/section'
import { Sparkline, trailWords } from '@/ui/sparkline'
import { numberText } from '@/features/players/model'
import { blocksOf, readingOf, type Block } from '@/features/players/percentile-blocks'

/** Percentiles by what they rest on; each block says once whom it compares. */
export function Percentiles({ playerId }: { playerId: string }) {
  const query = useQuery(percentilesQuery(playerId))
  const trails = useTrails(playerId)
  return (
    <Section
      title="Percentiles"
      text="Right is better: times, ERA, WHIP and BB/9 are reversed."
      query={query}
      problem="The comparison could not be loaded."
      skeleton={<PercentilesSkeleton />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <Empty>Add class, position and one number to see percentiles</Empty>
        ) : (
          <div className="-mx-3 grid divide-y divide-border sm:-mx-4">
            {blocksOf(rows).map((block) => (
              <BlockOf key={block.evidence + block.group} block={block} trails={trails} />
            ))}
          </div>
        )
      }
    </Section>
  )
}

/** Values from which on a line shows a direction, and the most that it shows. */
const [FEWEST, MOST] = [5, 12]

/** The last measurements of each kind, the oldest first, if there are enough for a line. */
function useTrails(playerId: string): ReadonlyMap<string, number[]> {
  const { data: measurements = [] } = useQuery(measurementsQuery(playerId))
  const trails = new Map<string, number[]>()
  for (const { kind, value } of measurements) {
    const trail = trails.get(kind) ?? []
    if (trail.length < MOST) trails.set(kind, [value, ...trail])
  }
  return new Map([...trails].filter(([, trail]) => trail.length >= FEWEST))
}

type BlockProps = { block: Block; trails: ReadonlyMap<string, number[]> }

function BlockOf({ block: { title, group, rows }, trails }: BlockProps) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="px-3 py-3 sm:px-4">
      <h3 id={id} className="mb-1 flex flex-wrap items-center justify-between gap-x-3 gap-y-1 text-xs/5 font-semibold">
        {title}
        <span className="inline-flex items-center gap-1.5 rounded-lg bg-secondary px-2 py-0.5 font-sans text-secondary-foreground tabular-nums">
          <Users aria-hidden className="size-3.5 shrink-0" />
          {group}
        </span>
      </h3>
      <ul>
        {rows.map((row) => (
          <Row key={row.metric} row={row} trail={trails.get(row.metric)} />
        ))}
      </ul>
    </div>
  )
}

/** On phones the slider is a line of its own. */
function Row({ row, trail }: { row: Percentile; trail: number[] | undefined }) {
  const { label, percentile, n, source, verified, unit } = row
  const { few, stale, size } = readingOf(row)
  const old = stale ? 'text-accent' : 'text-muted-foreground'
  return (
    <li className="grid min-h-8 grid-cols-[minmax(0,1fr)_auto_auto_auto] items-center gap-x-3 py-1 text-sm md:grid-cols-[10.5rem_5.5rem_minmax(8rem,1fr)_3.5rem_4rem_6.5rem] md:py-0.5">
      <span className="font-medium">{label}</span>
      <span className="text-right font-display font-semibold whitespace-nowrap tabular-nums">
        {numberText(row)} <span className="font-sans text-xs font-normal text-muted-foreground">{unit}</span>
      </span>
      <span className="max-md:order-last max-md:col-span-4">
        {percentile === null ? (
          <span className="flex items-center gap-3 text-xs text-muted-foreground">
            <span aria-hidden className="grow border-t border-dashed border-input" />
            Too few to compare, n = {n}
          </span>
        ) : (
          <PercentileSlider percentile={percentile} few={few} stale={stale} />
        )}
      </span>
      <span className="max-md:hidden">
        {trail && <Sparkline values={trail} label={trailWords(trail, (value) => numberText({ ...row, value }))} />}
      </span>
      <span className="text-xs">
        <Evidence source={source} verified={verified} named />
      </span>
      <span className={cn('text-right text-xs whitespace-nowrap tabular-nums', few ? 'text-accent' : old)}>
        {size}
        {few && <span className="sr-only">, few tries</span>}
        {stale && <span className="sr-only">, over a year old</span>}
      </span>
    </li>
  )
}

function PercentilesSkeleton() {
  return (
    <div className="grid gap-2">
      <Skeleton className="h-5 w-32" />
      {Array.from({ length: 8 }, (_, row) => (
        <Skeleton key={row} className="h-6 max-md:h-12" />
      ))}
    </div>
  )
}
