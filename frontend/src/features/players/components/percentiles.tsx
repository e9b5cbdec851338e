import { useQuery } from '@tanstack/react-query'
import { rate } from '@/lib/format'
import { ordinal } from '@/lib/ordinal'
import { comparedWith } from '@/lib/percentiles'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { ShareBar } from '@/ui/share-bar'
import { isRate, SOURCES } from '@/features/players/model'
import { percentilesQuery } from '@/data/players/queries'

/** Percentiles, each with the players it was counted among. */
export function Percentiles({ playerId }: { playerId: string }) {
  const query = useQuery(percentilesQuery(playerId))
  return (
    <Section
      title="Percentiles"
      text="100 is the best. Each number says whom it compares."
      query={query}
      problem="The comparison could not be loaded."
      skeleton={<RowsSkeleton rows={6} />}
    >
      {(rows) =>
        rows.length === 0 ? (
          <Empty>Add class, position and one number to see percentiles</Empty>
        ) : (
          <ul className="grid gap-4">
            {rows.map(({ metric, label, value, unit, percentile, source, verified, ...circle }) => (
              <li key={metric} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
                <span className="font-medium">
                  {label}{' '}
                  <span className="font-normal text-muted-foreground">
                    {isRate(metric) ? rate(value) : value} {unit} ·{' '}
                    {verified ? 'verified' : (SOURCES[source] ?? source)}
                  </span>
                </span>
                <span className="text-right tabular-nums">
                  {percentile === null ? (
                    <span className="text-muted-foreground">too few to compare</span>
                  ) : (
                    <strong>{ordinal(percentile)}</strong>
                  )}
                </span>
                <ShareBar percent={percentile ?? 0} className="col-span-2" />
                <span className="col-span-2 text-muted-foreground tabular-nums">{comparedWith(circle)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  )
}
