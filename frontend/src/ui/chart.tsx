import { useId, useState, type CSSProperties } from 'react'
import { count, UNKNOWN } from '@/lib/format'
import { countTicks, labelledPoints, lines } from '@/ui/chart-model'
import { cn } from '@/ui/class-names'

/** The colours of the series, in their order; lines differ by their dashes, too, for readers who cannot tell colours apart. */
const COLORS = ['var(--color-primary)', 'var(--color-accent)', 'var(--color-info)', 'var(--color-warning)']
const DASHES = [undefined, '7 4', '2 4', '10 3 2 3']
/** Names along the bottom that a phone has room for. */
const X_LABELS = 4
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' })

export type Series = { key: string; label: string }

type Point = Readonly<Record<string, string | number | null>>

type ChartProps = {
  /** What the chart shows, in one sentence, for screen readers. */
  label: string
  data: readonly Point[]
  /** What runs along the bottom, and what it is called. */
  x: string
  xLabel?: string
  series: readonly Series[]
  kind?: 'line' | 'bar'
  formatX?: (value: string) => string
}

/**
 * The one chart of the app: time or kinds along the bottom, one or a few series of counts above; below, its numbers.
 * The drawing stretches to its box, whose height is fixed, so that nothing on the page moves when it appears.
 */
export function Chart(props: ChartProps) {
  const id = useId()
  const { label, series } = props
  return (
    <figure aria-labelledby={id} className="grid min-w-0 gap-3">
      <figcaption id={id} className="sr-only">
        {label}
      </figcaption>
      {/* Read aloud, a drawing is a heap of numbers: the table has them in order. */}
      <div aria-hidden className="grid min-w-0 gap-2">
        {series.length > 1 && <Legend series={series} />}
        <Drawing {...props} />
      </div>
      <Numbers {...props} />
    </figure>
  )
}

const color = (index: number) => COLORS[index % COLORS.length]
const dash = (index: number): string | undefined => DASHES[index % DASHES.length]
function numberAt(point: Point, key: string): number | null {
  const value = point[key]
  return typeof value === 'number' ? value : null
}

function Legend({ series }: { series: readonly Series[] }) {
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted-foreground">
      {series.map(({ key, label }, index) => (
        <li key={key} className="flex items-center gap-1.5">
          <svg viewBox="0 0 24 8" className="h-2 w-6">
            <line x1="1" x2="23" y1="4" y2="4" stroke={color(index)} strokeWidth="2.5" strokeDasharray={dash(index)} />
          </svg>
          {label}
        </li>
      ))}
    </ul>
  )
}

/** Axes in text, which does not stretch, around a drawing that does. */
function Drawing(props: ChartProps) {
  const { data, x, series, kind = 'line', formatX = (value: string) => value } = props
  const [pointed, setPointed] = useState<number | null>(null)
  const values = data.flatMap((point) => series.map(({ key }) => numberAt(point, key) ?? 0))
  const greatest = Math.max(0, ...values)
  const ticks = countTicks(greatest)
  const top = ticks.at(-1) ?? 1
  const middle = (index: number) => `${(100 * (index + 0.5)) / data.length}%`
  return (
    <div className="relative h-60 text-[11px] text-muted-foreground tabular-nums">
      <div
        className="absolute top-2 right-0 bottom-6 left-10"
        onPointerMove={({ currentTarget, clientX }) => {
          const { left, width } = currentTarget.getBoundingClientRect()
          const index = Math.floor((data.length * (clientX - left)) / width)
          setPointed(index >= 0 && index < data.length ? index : null)
        }}
        onPointerLeave={() => setPointed(null)}
      >
        {ticks.map((tick) => (
          <span
            key={tick}
            className="absolute inset-x-0 border-t border-border"
            style={{ bottom: `${(100 * tick) / top}%` }}
          >
            <span className="absolute right-full -translate-y-1/2 pr-2">{SHORT.format(tick)}</span>
          </span>
        ))}
        {pointed !== null && (
          <span
            className="absolute inset-y-0 -translate-x-1/2 bg-foreground/6"
            style={{ left: middle(pointed), width: `${100 / data.length}%` }}
          />
        )}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
          {kind === 'line' ? <Lines {...props} top={top} /> : <Bars {...props} top={top} />}
        </svg>
        {labelledPoints(data.length, X_LABELS).map((index) => (
          <span
            key={index}
            className={cn('absolute top-full pt-1.5 whitespace-nowrap', index > 0 && '-translate-x-1/2')}
            style={{ left: index === 0 ? 0 : middle(index) }}
          >
            {formatX(String(data[index]?.[x]))}
          </span>
        ))}
        {pointed !== null && <Reading {...props} index={pointed} />}
      </div>
    </div>
  )
}

/** Straight from value to value: a curve through counts would show values that never were. */
function Lines({ data, series, top }: ChartProps & { top: number }) {
  return series.map(({ key }, index) =>
    lines(
      data.map((point) => numberAt(point, key)),
      top,
    ).map((points) => (
      <polyline
        key={`${key} ${points}`}
        points={points}
        fill="none"
        stroke={color(index)}
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray={dash(index)}
        vectorEffect="non-scaling-stroke"
      />
    )),
  )
}

function Bars({ data, x, series, top }: ChartProps & { top: number }) {
  const [place, gap] = [100 / data.length, 0.15]
  const width = (place * (1 - 2 * gap)) / series.length
  return data.flatMap((point, at) =>
    series.map(({ key }, index) => {
      const height = (100 * (numberAt(point, key) ?? 0)) / top
      const left = at * place + gap * place + index * width
      return (
        <rect key={`${point[x]} ${key}`} x={left} y={100 - height} width={width} height={height} fill={color(index)} />
      )
    }),
  )
}

/** The numbers of the point under the pointer, on the side where there is room. */
function Reading({ data, x, series, formatX = (value) => value, index }: ChartProps & { index: number }) {
  const point = data[index]
  if (!point) return null
  const share = (100 * (index + 0.5)) / data.length
  const side: CSSProperties = share < 50 ? { left: `${share + 3}%` } : { right: `${103 - share}%` }
  return (
    <div
      className="pointer-events-none absolute top-0 z-10 rounded-lg border border-border bg-card px-3 py-2 text-xs whitespace-nowrap text-foreground shadow-lg"
      style={side}
    >
      <p className="font-medium">{formatX(String(point[x]))}</p>
      {series.map(({ key, label }, index) => (
        <p key={key}>
          <span style={{ color: color(index) }}>■</span> {label}: {figure(point[key])}
        </p>
      ))}
    </div>
  )
}

/** The chart's values as a table, for screen readers and for exact numbers. */
function Numbers({ label, data, x, xLabel = '', series, formatX = (value) => value }: ChartProps) {
  return (
    <details className="text-sm print:hidden">
      <summary className="w-fit cursor-pointer rounded text-muted-foreground hover:text-foreground">As a table</summary>
      <div
        role="region"
        aria-label={`${label}, table`}
        tabIndex={0}
        className="mt-3 max-h-72 overflow-auto rounded-xl border border-border"
      >
        <table className="w-full border-collapse">
          <caption className="sr-only">{label}</caption>
          <thead>
            <tr>
              <th scope="col" className="sticky top-0 bg-muted px-3 py-2 text-left font-medium">
                {xLabel || <span className="sr-only">Of</span>}
              </th>
              {series.map(({ key, label }) => (
                <th key={key} scope="col" className="sticky top-0 bg-muted px-3 py-2 text-right font-medium">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {data.map((point) => (
              <tr key={point[x]}>
                <th scope="row" className="px-3 py-2 text-left font-normal whitespace-nowrap">
                  {formatX(String(point[x]))}
                </th>
                {series.map(({ key }) => (
                  <td key={key} className="px-3 py-2 text-right tabular-nums">
                    {figure(point[key])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}

const figure = (value: Point[string] | undefined) => (typeof value === 'number' ? count(value) : (value ?? UNKNOWN))
