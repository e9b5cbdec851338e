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

/** The colours of the series, in their order. */
const COLORS = ['var(--color-primary)', 'var(--color-accent)', 'var(--color-info)', 'var(--color-warning)']
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

export type Series = { key: string; label: string }

type Point = Readonly<Record<string, string | number | null>>

type ChartProps = {
  /** What the chart shows, in one sentence, for those who do not see it. */
  label: string
  data: readonly Point[]
  /** What runs along the bottom. */
  x: string
  series: readonly Series[]
  kind?: 'area' | 'bar'
  formatX?: (value: string) => string
}

/** The one chart of the app: time or kinds along the bottom, one or a few series of counts above. */
export default function Chart({ label, data, x, series, kind = 'area', formatX = (value) => value }: ChartProps) {
  const id = useId()
  const axes = [
    <CartesianGrid key="grid" vertical={false} stroke="var(--color-border)" />,
    <XAxis key="x" dataKey={x} {...AXIS} tickFormatter={formatX} minTickGap={24} />,
    <YAxis key="y" {...AXIS} width={36} allowDecimals={false} />,
    <Tooltip
      key="tip"
      {...TOOLTIP}
      labelFormatter={(value: unknown) => (typeof value === 'string' ? formatX(value) : '')}
    />,
    series.length > 1 && <Legend key="legend" iconType="circle" iconSize={9} />,
  ]
  return (
    <figure aria-labelledby={id} className="min-w-0 overflow-hidden">
      <figcaption id={id} className="sr-only">
        {label}
      </figcaption>
      <ResponsiveContainer width="100%" height={HEIGHT}>
        {kind === 'area' ? (
          <AreaChart data={[...data]} accessibilityLayer={false}>
            {axes}
            {series.map(({ key, label }, index) => (
              <Area
                key={key}
                dataKey={key}
                name={label}
                type="monotone"
                stroke={COLORS[index % COLORS.length]}
                fill={COLORS[index % COLORS.length]}
                fillOpacity={0.15}
                strokeWidth={2}
                isAnimationActive={false}
              />
            ))}
          </AreaChart>
        ) : (
          <BarChart data={[...data]} accessibilityLayer={false}>
            {axes}
            {series.map(({ key, label }, index) => (
              <Bar
                key={key}
                dataKey={key}
                name={label}
                fill={COLORS[index % COLORS.length]}
                radius={[4, 4, 0, 0]}
                maxBarSize={48}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        )}
      </ResponsiveContainer>
    </figure>
  )
}
