import { cn } from '@/ui/class-names'
import { percentileColors, percentileOutline, percentileTrack } from '@/ui/percentile-colors'

type PercentileSliderProps = {
  percentile: number
  /** From few tries: drawn hollow, with a dashed outline. */
  few?: boolean
  /** From long ago: drawn pale, the number as readable as ever. */
  stale?: boolean
  className?: string
}

/** A percentile as a place between low and high; the screen says among whom. */
export function PercentileSlider({ percentile, few = false, stale = false, className }: PercentileSliderProps) {
  return (
    <span className={cn('relative block h-6', className)}>
      <span
        aria-hidden
        className={cn('absolute inset-x-3 top-2.5 h-1 rounded-full', stale && 'opacity-60')}
        style={percentileTrack}
      />
      {[25, 50, 75].map((mark) => (
        <span key={mark} aria-hidden className="absolute inset-x-3 top-2">
          <span className="absolute h-2 w-px bg-input" style={{ left: `${mark}%` }} />
        </span>
      ))}
      <span className="absolute inset-x-3 top-0">
        <span
          className={cn(
            'absolute grid size-6 -translate-x-1/2 place-items-center rounded-full border-[1.5px] font-display text-xs font-bold tabular-nums',
            few && 'border-dashed',
            (few || stale) && 'bg-card text-foreground',
          )}
          style={{
            borderColor: percentileOutline(percentile),
            ...(few || stale ? undefined : percentileColors(percentile)),
            left: `${percentile}%`,
          }}
        >
          <span className="sr-only">percentile </span>
          {percentile}
        </span>
      </span>
    </span>
  )
}
