import { Link } from 'react-router'
import {
  isTeam,
  type Opponent,
  type Part,
  type Ranked,
  type RankedPlayer,
  type RankedTeam,
  type Run,
  type Weights,
} from '@/data/rankings/model'
import { decimal, shortDay, UNKNOWN } from '@/lib/format'
import { paths } from '@/lib/paths'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { PercentileChip } from '@/ui/percentile-chip'
import { GROUPS, narrowest, partName, partValue, signed } from '@/features/rankings/model'

type WhyProps = { row: Ranked; run: Run; weights: Weights | null }

/** Opponents listed one by one; the others are summed up. */
const SHOWN = 7

/** What a rating is made of: each part's points over the average, which add up to it. */
export function Why({ row, run, weights }: WhyProps) {
  return (
    <section aria-label={`Why ${row.rank === null ? 'no rank' : `No. ${row.rank}`}, ${row.name}`} className="grid">
      <h2 className="flex flex-wrap items-baseline gap-x-2 px-4 py-3 text-base font-semibold">
        {row.rank === null ? 'Why no rank yet' : `Why No. ${row.rank}`}
        <span className="text-sm font-normal text-muted-foreground">{row.name}</span>
      </h2>
      {!isTeam(row) && row.team && <p className="-mt-2 px-4 pb-2 text-sm text-muted-foreground">{row.team}</p>}
      {isTeam(row) && row.league && <p className="-mt-2 px-4 pb-2 text-sm text-muted-foreground">{row.league}</p>}
      {isTeam(row) ? <TeamParts row={row} /> : <PlayerParts row={row} run={run} weights={weights} />}
    </section>
  )
}

function PlayerParts({ row, run, weights }: { row: RankedPlayer } & Omit<WhyProps, 'row'>) {
  const used = weights ?? run.params.weights
  const kind = row.pitcher ? 'pitcher' : 'hitter'
  const names = run.params.parts?.[kind] ?? []
  const total = used?.[kind].reduce((sum, weight) => sum + weight, 0) ?? 0
  const most = Math.max(4, ...row.parts.map((part) => Math.abs(part?.points ?? 0)))
  const missing = used && narrowest(row, run, used)
  return (
    <>
      <ul className="divide-y divide-border border-y border-border text-sm">
        {names.map((name, index) => (
          <PartRow
            key={name}
            name={partName(name)}
            share={total > 0 ? Math.round((100 * (used?.[kind][index] ?? 0)) / total) : 0}
            part={row.parts[index] ?? null}
            most={most}
          />
        ))}
      </ul>
      <p className="px-4 py-2 text-xs text-muted-foreground">
        50{' '}
        {row.parts
          .map((part) => part && signed(part.points))
          .filter(Boolean)
          .join(' ')}{' '}
        = <strong className="text-foreground">{decimal(row.value, 1)}</strong>
      </p>
      {missing && (
        <p className="bg-accent-soft px-4 py-3 text-sm">
          <strong className="block">What would tell most</strong>
          {partName(missing.part)}, verified, would narrow the range from ±{decimal(missing.before, 1)} to about ±
          {decimal(missing.after, 1)} points.
        </p>
      )}
      <p className="px-4 py-3 text-sm">
        <Link className="text-primary underline-offset-4 hover:underline" to={paths.playerById.replace(':id', row.id)}>
          Open the profile
        </Link>
      </p>
    </>
  )
}

function PartRow({ name, share, part, most }: { name: string; share: number; part: Part | null; most: number }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_5rem_2.75rem] items-center gap-x-2 px-4 py-2">
      <span className="min-w-0">
        {name} <span className="text-xs text-muted-foreground">{share}%</span>
        <span className="block text-xs text-muted-foreground">
          {part ? (
            <>
              {partValue(part)} <Evidence source={part.source} verified={part.verified} />{' '}
              {part.taken_at && shortDay(part.taken_at)}
              {part.stale && ', counts half'} · {GROUPS[part.group]}, n = {part.n}
            </>
          ) : (
            'Not measured'
          )}
        </span>
      </span>
      {part ? <PercentileChip percentile={part.percentile} /> : <span className="w-6 text-center">{UNKNOWN}</span>}
      <Bar points={part?.points ?? 0} most={most} />
      <strong className="text-right tabular-nums">{part ? signed(part.points) : UNKNOWN}</strong>
    </li>
  )
}

function TeamParts({ row }: { row: RankedTeam }) {
  const shown = row.why.slice(0, SHOWN)
  const others = row.why.slice(SHOWN)
  const most = Math.max(20, ...row.why.map(({ points }) => Math.abs(points)))
  const rest: Opponent | null =
    others.length > 0
      ? others.reduce(
          (sum, { wins, losses, ties, points }) => ({
            ...sum,
            wins: sum.wins + wins,
            losses: sum.losses + losses,
            ties: sum.ties + ties,
            points: sum.points + points,
          }),
          { id: 'others', name: `${others.length} more`, wins: 0, losses: 0, ties: 0, points: 0 },
        )
      : null
  return (
    <>
      <ul className="divide-y divide-border border-y border-border text-sm">
        {[...shown, ...(rest ? [rest] : [])].map((opponent) => (
          <li
            key={opponent.id}
            className="grid grid-cols-[minmax(0,1fr)_auto_5rem_2.75rem] items-center gap-x-2 px-4 py-2"
          >
            <span className="min-w-0 wrap-anywhere">{opponent.name ?? 'Another team'}</span>
            <span className="text-muted-foreground tabular-nums">{record(opponent)}</span>
            <Bar points={opponent.points} most={most} />
            <strong className="text-right tabular-nums">{signed(opponent.points)}</strong>
          </li>
        ))}
      </ul>
      <p className="px-4 py-2 text-xs text-muted-foreground">
        All games add up: 1500 {signed(row.value - 1500)} ={' '}
        <strong className="text-foreground">{decimal(row.value, 1)}</strong>. A win over a better team adds more.
      </p>
      <dl className="grid grid-cols-2 gap-x-4 border-t border-border px-4 py-3 text-sm">
        <dt className="text-muted-foreground">Elo</dt>
        <dd className="text-right tabular-nums">{decimal(row.elo, 0)}</dd>
        <dt className="text-muted-foreground">RPI</dt>
        <dd className="text-right tabular-nums">
          {row.rpi === null ? UNKNOWN : decimal(row.rpi, 3).replace(/^0/, '')}
        </dd>
      </dl>
    </>
  )
}

export const record = ({ wins, losses, ties }: Pick<Opponent, 'wins' | 'losses' | 'ties'>) =>
  ties > 0 ? `${wins}–${losses}–${ties}` : `${wins}–${losses}`

/** Points to the right of the middle, or to the left. */
function Bar({ points, most }: { points: number; most: number }) {
  const width = `${Math.min(50, (50 * Math.abs(points)) / most)}%`
  return (
    <span aria-hidden className="relative block h-4 w-20">
      <span className="absolute inset-y-0 left-1/2 border-l border-input" />
      <span
        className={cn('absolute inset-y-0.5 rounded-xs', points < 0 ? 'right-1/2 bg-info' : 'left-1/2 bg-accent')}
        style={{ width }}
      />
    </span>
  )
}
