import type { Histogram as Bars, Leader } from '@/data/leaderboard/model'
import { ordinal } from '@/lib/ordinal'
import { cn } from '@/ui/class-names'
import { percentileColors } from '@/ui/percentile-colors'
import { shareOf } from '@/features/leaderboard/model'
import type { Stat } from '@/features/leaderboard/stats'

type HistogramProps = {
  stat: Stat
  bars: Bars
  average: number | null
  you: Leader | null
  lowerIsBetter: boolean
}

/** How the qualified players are distributed, in the colours of their percentiles, with the average and one's own place. */
export function Histogram({ stat, bars, average, you, lowerIsBetter }: HistogramProps) {
  const { least, width, counts } = bars
  const total = counts.reduce((sum, n) => sum + n, 0)
  const greatest = Math.max(...counts)
  const own = you?.rank ? you : null
  const summary = `${stat.label} of ${total} players, from ${stat.format(least)} to ${stat.format(least + width * counts.length)}`
  const words = [
    summary,
    average !== null && `average ${stat.format(average)}`,
    own && `you ${stat.format(own.value)}${own.percentile === null ? '' : `, ${ordinal(own.percentile)} percentile`}`,
  ]
  return (
    <figure className="grid min-w-0 gap-2">
      <figcaption className="sr-only">{words.filter(Boolean).join('; ')}.</figcaption>
      <div aria-hidden className="relative pt-10 pb-5 text-[11px] text-muted-foreground tabular-nums">
        <div className="flex h-24 items-end gap-px border-b border-border">
          {counts.map((n, index) => {
            const below = counts.slice(0, index).reduce((sum, n) => sum + n, 0)
            const share = (100 * (below + n / 2)) / total
            return (
              <span
                key={index}
                className="grow rounded-t-xs"
                style={{
                  height: `${(100 * n) / greatest}%`,
                  backgroundColor: percentileColors(lowerIsBetter ? 100 - share : share).backgroundColor,
                }}
              />
            )
          })}
        </div>
        {average !== null && <Line at={shareOf(average, bars)} label={`Average ${stat.format(average)}`} dashed />}
        {own && <Line at={shareOf(own.value, bars)} label={`You ${stat.format(own.value)}`} />}
        {[0, 50, 100].map((at) => (
          <span
            key={at}
            className="absolute bottom-0"
            style={{ left: `${at}%`, translate: at === 0 ? '0' : at === 50 ? '-50%' : '-100%' }}
          >
            {stat.format(least + (at / 100) * width * counts.length)}
          </span>
        ))}
      </div>
      <AsTable stat={stat} bars={bars} caption={summary} />
    </figure>
  )
}

function AsTable({
  stat,
  bars: { least, width, counts },
  caption,
}: Pick<HistogramProps, 'stat' | 'bars'> & { caption: string }) {
  const bounds = counts.map((_, index) => [least + index * width, least + (index + 1) * width] as const)
  return (
    <details className="text-sm">
      <summary className="w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">As a table</summary>
      <table className="mt-2 w-full max-w-sm tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col" className="text-left font-medium">
              {stat.label}
            </th>
            <th scope="col" className="text-right font-medium">
              Players
            </th>
          </tr>
        </thead>
        <tbody>
          {bounds.map(([from, to], index) => (
            <tr key={from}>
              <th scope="row" className="text-left font-normal">
                {stat.format(from)} to {stat.format(to)}
              </th>
              <td className="text-right">{counts[index]}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

/** A named line, the name on the side where there is room. One's own stands a line lower, so that the names never meet. */
function Line({ at, label, dashed = false }: { at: number; label: string; dashed?: boolean }) {
  return (
    <span
      className={cn(
        'absolute bottom-5',
        dashed
          ? 'top-0 border-l border-dashed border-foreground/70'
          : 'top-4.5 border-l-2 border-foreground text-foreground',
      )}
      style={{ left: `${at}%` }}
    >
      <span
        className={cn(
          'absolute top-0 whitespace-nowrap',
          !dashed && 'font-semibold',
          at > 50 ? 'right-1.5' : 'left-1.5',
        )}
      >
        {label}
      </span>
    </span>
  )
}
