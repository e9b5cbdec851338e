import { useQuery } from '@tanstack/react-query'
import { rate } from '@/lib/format'
import { Empty, Section } from '@/ui/section'
import { ShareBar } from '@/ui/share-bar'
import { isRate, ordinal, SOURCES } from '@/features/players/model'
import { percentilesQuery } from '@/features/players/queries'

/** Where the player stands among those of the same class and position, with the number of players that rests on. */
export function Percentiles({ playerId }: { playerId: string }) {
  const query = useQuery(percentilesQuery(playerId))
  return (
    <Section
      title="Percentiles"
      text="Among players of the same class and position. A hundred is the best."
      query={query}
      problem="The comparison could not be loaded."
    >
      {(rows) =>
        rows.length === 0 ? (
          <Empty>There is nothing to compare yet: it takes a class, a position, and a measurement or a season.</Empty>
        ) : (
          <ul className="grid gap-4">
            {rows.map(({ metric, label, value, unit, percentile, n, source, verified }) => (
              <li key={metric} className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-sm">
                <span className="font-medium">
                  {label}{' '}
                  <span className="font-normal text-muted-foreground">
                    {isRate(metric) ? rate(value) : value} {unit} ·{' '}
                    {verified ? 'verified' : (SOURCES[source] ?? source)}
                  </span>
                </span>
                <span className="text-right tabular-nums">
                  <Place percentile={percentile} n={n} />
                </span>
                <ShareBar percent={percentile ?? 0} className="col-span-2" />
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  )
}

function Place({ percentile, n }: { percentile: number | null; n: number }) {
  if (percentile === null) return <span className="text-muted-foreground">too few to compare (n = {n})</span>
  return (
    <>
      <strong>{ordinal(percentile)}</strong> <span className="text-muted-foreground">of n = {n}</span>
    </>
  )
}
