import { cn } from '@/ui/class-names'
import { percentileColors } from '@/ui/percentile-colors'

/** A percentile as a bare number; the screen says among whom. */
export function PercentileChip({ percentile, className }: { percentile: number; className?: string }) {
  return (
    <span
      className={cn('inline-grid h-4.5 min-w-6 place-items-center rounded text-xs font-bold tabular-nums', className)}
      style={percentileColors(percentile)}
    >
      <span className="sr-only">percentile </span>
      {percentile}
    </span>
  )
}
