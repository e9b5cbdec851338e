type SparklineProps = {
  /** At least five, the oldest first: fewer show no direction. */
  values: readonly number[]
  /** Its finding in words, for those who do not see it. */
  label: string
}

const [WIDTH, HEIGHT, MARGIN] = [56, 18, 3]

/** The course of a number, without an axis; the dot is the last value. */
export function Sparkline({ values, label }: SparklineProps) {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const points = values.map((value, index) => ({
    x: MARGIN + (index * (WIDTH - 2 * MARGIN)) / Math.max(1, values.length - 1),
    // Values that are all the same make a line in the middle.
    y: most === least ? HEIGHT / 2 : MARGIN + ((most - value) * (HEIGHT - 2 * MARGIN)) / (most - least),
  }))
  const last = points[points.length - 1]
  if (!last) return null
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        className="fill-none stroke-muted-foreground"
        strokeWidth="1.5"
        strokeLinejoin="round"
      />
      <circle cx={last.x} cy={last.y} r="2" className="fill-foreground" />
    </svg>
  )
}

/** `Rises from .280 to .342 over 12 values`. */
export function trailWords(values: readonly number[], format: (value: number) => string): string {
  const [first = 0, last = 0] = [values[0], values[values.length - 1]]
  const course = last > first ? 'Rises' : last < first ? 'Falls' : 'Stays'
  const range = last === first ? `at ${format(last)}` : `from ${format(first)} to ${format(last)}`
  return `${course} ${range} over ${values.length} values`
}
