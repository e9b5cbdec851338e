import { cn } from '@/ui/class-names'
import { percentileColors, percentileTrack } from '@/ui/percentile-colors'

/** A percentile as a place between low and high; the screen says among whom. */
export function PercentileSlider({ percentile, className }: { percentile: number; className?: string }) {
  return (
    <span className={cn('relative block h-6', className)}>
      <span aria-hidden className="absolute inset-x-3 top-2.5 h-1 rounded-full" style={percentileTrack} />
      {[25, 50, 75].map((mark) => (
        <span key={mark} aria-hidden className="absolute inset-x-3 top-2">
          <span className="absolute h-2 w-px bg-input" style={{ left: `${mark}%` }} />
        </span>
      ))}
      <span className="absolute inset-x-3 top-0">
        <span
          className="absolute grid size-6 -translate-x-1/2 place-items-center rounded-full font-display text-xs font-bold tabular-nums"
          style={{ ...percentileColors(percentile), left: `${percentile}%` }}
        >
          <span className="sr-only">percentile </span>
          {percentile}
        </span>
      </span>
    </span>
  )
}
