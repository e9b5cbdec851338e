import { useQuery } from '@tanstack/react-query'
import { Award } from 'lucide-react'
import { comparisonQuery, type Compared } from '@/data/scouting/queries'
import { count, UNKNOWN } from '@/lib/format'
import { groupWords } from '@/lib/positions'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { PercentileChip } from '@/ui/percentile-chip'
import { Empty, Loading, Problem, Skeleton } from '@/ui/section'
import { comparedMetrics, comparedWords } from '@/features/scouting/model'

type Player = { id: string; name: string }

/** The numbers of two to four players side by side; on a phone below each other. The best value of each row is marked. */
export function Comparison({ players }: { players: readonly Player[] }) {
  const { data, isPending, isError, error, refetch } = useQuery(comparisonQuery(players.map(({ id }) => id)))
  if (isPending) {
    return (
      <Loading>
        <Skeleton className="h-80 rounded-xl" />
      </Loading>
    )
  }
  if (isError) {
    return <Problem text="The players could not be compared." error={error} onRetry={() => void refetch()} />
  }
  if (data.length === 0) return <Empty>None of them has a number yet.</Empty>
  return (
    <table role="table" className="w-full table-fixed border-collapse text-sm max-sm:block">
      <caption className="pb-2 text-left text-muted-foreground max-sm:block">
        Percentiles are within the group below each number. An award marks the best value.
      </caption>
      <thead role="rowgroup" className="max-sm:hidden">
        <tr role="row">
          <th role="columnheader" scope="col" className="py-2 pr-3 text-left font-semibold">
            Number
          </th>
          {players.map(({ id, name }) => (
            <th key={id} role="columnheader" scope="col" className="py-2 pr-3 text-left font-semibold wrap-anywhere">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="max-sm:block">
        {comparedMetrics(data).map(({ metric, label, rows, best }) => (
          <tr key={metric} role="row" className="border-t border-border align-top max-sm:block max-sm:py-2">
            <th role="rowheader" scope="row" className="py-2 pr-3 text-left font-medium max-sm:block max-sm:py-1">
              {label}
            </th>
            {players.map(({ id, name }) => (
              <td key={id} role="cell" className="py-2 pr-3 max-sm:grid max-sm:grid-cols-2 max-sm:gap-3 max-sm:py-1">
                <span className="text-muted-foreground wrap-anywhere sm:hidden">{name}</span>
                <Value row={rows.find(({ player_id }) => player_id === id)} isBest={best.has(id)} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Value({ row, isBest }: { row: Compared | undefined; isBest: boolean }) {
  if (!row) return <span className="text-muted-foreground">{UNKNOWN}</span>
  const { percentile, n, source, verified } = row
  return (
    <span className="grid min-w-0 gap-0.5">
      <span className={cn('flex flex-wrap items-center gap-1.5 tabular-nums', isBest && 'font-bold')}>
        {comparedWords(row)}
        {isBest && (
          <>
            <Award aria-hidden className="size-4 text-accent" />
            <span className="sr-only">best</span>
          </>
        )}
        {percentile !== null && <PercentileChip percentile={percentile} />}
        <Evidence source={source} verified={verified} />
      </span>
      {percentile !== null && (
        <span className="text-xs text-muted-foreground">{`${groupWords(row)} · n = ${count(n)}`}</span>
      )}
    </span>
  )
}
