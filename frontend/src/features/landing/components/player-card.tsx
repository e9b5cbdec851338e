import { SAMPLE_PLAYER } from '@/features/landing/model'

const PLAYER = SAMPLE_PLAYER
const STATISTICS = [
  ['AVG', PLAYER.battingAvg.toFixed(3).replace(/^0/, '')],
  ['HR', String(PLAYER.homeRuns)],
  ['RBI', String(PLAYER.rbi)],
]
/** The last hits over the field: x and y in the drawing's units (the fence is 182 from the plate at 150, 184). */
const HITS = [
  { x: 70, y: 92, kind: 'single' },
  { x: 128, y: 66, kind: 'single' },
  { x: 160, y: 104, kind: 'single' },
  { x: 204, y: 58, kind: 'extra' },
  { x: 242, y: 84, kind: 'single' },
  { x: 96, y: 48, kind: 'extra' },
  { x: 178, y: 26, kind: 'extra' },
  { x: 96, y: -4, kind: 'homer' },
  { x: 212, y: -2, kind: 'homer' },
  { x: 212, y: 108, kind: 'single' },
  { x: 112, y: 112, kind: 'single' },
] as const
const FILL = { single: 'fill-night-muted', extra: 'fill-night-foreground', homer: 'fill-clay' }

export function PlayerCard() {
  return (
    <figure className="rounded-2xl border border-night-line bg-night-raised/90 p-6 shadow-2xl">
      <figcaption className="flex items-baseline justify-between gap-4">
        <span>
          <span className="block font-display text-xl font-semibold">{PLAYER.name}</span>
          <span className="text-sm text-night-muted">
            {PLAYER.position}, {PLAYER.team}
          </span>
        </span>
        <span className="shrink-0 rounded-full border border-night-line px-2.5 py-0.5 text-xs text-night-muted">
          Sample player
        </span>
      </figcaption>
      <svg
        viewBox="0 -14 300 204"
        role="img"
        aria-label="Spray chart of the last eleven hits, two of them over the fence"
        className="mt-5 w-full"
      >
        <path d="M150 184 14 62a182 182 0 0 1 272 0Z" className="fill-night stroke-night-line" strokeWidth="1.5" />
        <path d="m150 178 42-38-42-38-42 38Z" fill="none" className="stroke-night-line" strokeWidth="1.5" />
        {HITS.map(({ x, y, kind }) => (
          <circle key={`${x},${y}`} cx={x} cy={y} r={kind === 'homer' ? 5 : 4} className={FILL[kind]} />
        ))}
      </svg>
      <dl className="mt-5 grid grid-cols-3 divide-x divide-night-line border-t border-night-line pt-5 text-center">
        {STATISTICS.map(([name, value]) => (
          <div key={name} className="flex flex-col-reverse">
            <dt className="text-xs text-night-muted">{name}</dt>
            <dd className="font-display text-2xl font-bold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </figure>
  )
}
