import { NINE_IN_TEN, ONE_IN_TWO, type Axis } from '@/features/rankings/model'

/** The estimate as a dot, one of two as a thick bar, nine of ten as a thin one. Its numbers are in the text beside it. */
export function Interval({ value, sd, axis }: { value: number; sd: number; axis: Axis }) {
  const bar = (deviations: number) => {
    const from = axis.at(value - deviations * sd)
    return { left: `${from}%`, width: `${axis.at(value + deviations * sd) - from}%` }
  }
  return (
    <span aria-hidden className="relative block h-5 w-full">
      <span className="absolute top-2 h-1 rounded-full bg-primary/45" style={bar(NINE_IN_TEN)} />
      <span className="absolute top-1.5 h-2 rounded-full bg-primary/85" style={bar(ONE_IN_TWO)} />
      <span
        className="absolute top-1 size-3 -translate-x-1/2 rounded-full border-2 border-card bg-foreground"
        style={{ left: `${axis.at(value)}%` }}
      />
    </span>
  )
}

/** The last values as a line of 56 × 18; nothing below three runs. */
export function Sparkline({ values }: { values: readonly number[] }) {
  if (values.length < 3) return <span className="block h-4.5 w-14" />
  const least = Math.min(...values)
  const span = Math.max(...values) - least
  const points = values.map((value, index) => [
    2 + (50 * index) / (values.length - 1),
    // Without a change the line is in the middle.
    span > 0 ? 15 - (12 * (value - least)) / span : 9,
  ])
  const [x, y] = points.at(-1) ?? [0, 0]
  return (
    <svg aria-hidden viewBox="0 0 56 18" className="block h-4.5 w-14 text-muted-foreground">
      <polyline points={points.join(' ')} fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx={x} cy={y} r="2" className="fill-foreground" />
    </svg>
  )
}

/** Squares for the parts: filled where measured. */
export function Proof({ parts }: { parts: readonly unknown[] }) {
  const measured = parts.filter(Boolean).length
  return (
    <span className="inline-flex gap-0.5">
      <span className="sr-only">
        {measured} of {parts.length} parts measured
      </span>
      {parts.map((part, index) => (
        <span
          key={index}
          aria-hidden
          className={part ? 'size-2.5 rounded-xs bg-success' : 'size-2.5 rounded-xs border border-input'}
        />
      ))}
    </span>
  )
}
