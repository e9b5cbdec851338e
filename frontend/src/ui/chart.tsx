import { useId } from 'react'
import {
  Area,
  AreaChart,
  Bar,
  BarChart,
  CartesianGrid,
  Legend,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { count, UNKNOWN } from '@/lib/format'

/** The colours of the series, in their order; areas differ by their line, too, for those who tell colours apart badly. */
const COLORS = ['var(--color-primary)', 'var(--color-accent)', 'var(--color-info)', 'var(--color-warning)']
const DASHES = [undefined, '7 4', '2 4', '10 3 2 3']
const HEIGHT = 240
const AXIS = { stroke: 'var(--color-muted-foreground)', fontSize: 12, tickLine: false, axisLine: false } as const
const TOOLTIP = {
  contentStyle: {
    background: 'var(--color-card)',
    border: '1px solid var(--color-border)',
    borderRadius: '0.75rem',
    color: 'var(--color-foreground)',
  },
  cursor: { fill: 'var(--color-muted)', stroke: 'var(--color-border)' },
} as const
const SHORT = new Intl.NumberFormat('en-US', { notation: 'compact' })

export type Series = { key: string; label: string }

type Point = Readonly<Record<string, string | number | null>>

type ChartProps = {
  /** What the chart shows, in one sentence, for those who do not see it. */
  label: string
  data: readonly Point[]
  /** What runs along the bottom, and what it is called. */
  x: string
  xLabel?: string
  series: readonly Series[]
  kind?: 'area' | 'bar'
  formatX?: (value: string) => string
}

/** The one chart of the app: time or kinds along the bottom, one or a few series of counts above; below, its numbers. */
export default function Chart(props: ChartProps) {
  const id = useId()
  const { label, data, kind = 'area' } = props
  return (
    <figure aria-labelledby={id} className="grid min-w-0 gap-3 overflow-hidden">
      <figcaption id={id} className="sr-only">
        {label}
      </figcaption>
      {/* Read aloud, a drawing is a heap of numbers: the table has them in order. */}
      <div aria-hidden className="min-w-0">
        <ResponsiveContainer width="100%" height={HEIGHT}>
          {kind === 'area' ? (
            <AreaChart data={[...data]} accessibilityLayer={false}>
              {axes(props)}
              {areas(props)}
            </AreaChart>
          ) : (
            <BarChart data={[...data]} accessibilityLayer={false}>
              {axes(props)}
              {bars(props)}
            </BarChart>
          )}
        </ResponsiveContainer>
      </div>
      <Numbers {...props} />
    </figure>
  )
}

const axes = ({ x, series, formatX = (value) => value }: ChartProps) => [
  <CartesianGrid key="grid" vertical={false} stroke="var(--color-border)" />,
  <XAxis key="x" dataKey={x} {...AXIS} tickFormatter={formatX} minTickGap={24} />,
  <YAxis key="y" {...AXIS} width={40} allowDecimals={false} tickFormatter={(value: number) => SHORT.format(value)} />,
  <Tooltip
    key="tip"
    {...TOOLTIP}
    labelFormatter={(value: unknown) => (typeof value === 'string' ? formatX(value) : '')}
  />,
  series.length > 1 && <Legend key="legend" iconType="circle" iconSize={9} itemSorter={null} />,
]

const areas = ({ series }: ChartProps) =>
  series.map(({ key, label }, index) => (
    <Area
      key={key}
      dataKey={key}
      name={label}
      type="monotone"
      stroke={COLORS[index % COLORS.length]}
      strokeDasharray={DASHES[index % DASHES.length]}
      fill={COLORS[index % COLORS.length]}
      fillOpacity={0.12}
      strokeWidth={2}
      isAnimationActive={false}
    />
  ))

const bars = ({ series }: ChartProps) =>
  series.map(({ key, label }, index) => (
    <Bar
      key={key}
      dataKey={key}
      name={label}
      fill={COLORS[index % COLORS.length]}
      radius={[4, 4, 0, 0]}
      maxBarSize={48}
      isAnimationActive={false}
    />
  ))

/** The same as a table, for ears and for whoever wants to know exactly. */
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
