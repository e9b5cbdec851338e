import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { NumberChange } from '@/data/home/games'
import type { PlayerHome } from '@/data/home/queries'
import { decimal, shortDay, UNKNOWN } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { PercentileChip } from '@/ui/percentile-chip'
import { Card, Empty } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import { CHANGE_DAYS, changeWords, isBetter, percentileOf } from '@/features/home/games'

type OwnChangesProps = { changes: readonly NumberChange[]; percentiles: PlayerHome['percentiles'] }

/** What changed in the player's own numbers, with the percentile of each that still counts. */
export function OwnChanges({ changes, percentiles }: OwnChangesProps) {
  return (
    <Card title="What changed" aside={<Period />}>
      {changes.length === 0 ? (
        <Empty>
          Nothing measured in {CHANGE_DAYS} days.{' '}
          <Link to={paths.player} className="font-medium text-primary underline underline-offset-4">
            Add a number
          </Link>
        </Empty>
      ) : (
        <Changes changes={changes} percentiles={percentiles} />
      )}
    </Card>
  )
}

/** What moved on a scout's lists. */
export function ListChanges({ changes }: { changes: readonly NumberChange[] }) {
  return (
    <Card title="Moved on your lists" aside={<MoreLink to={paths.scout}>My lists</MoreLink>}>
      {changes.length === 0 ? (
        <Empty>Nobody on your lists was measured in {CHANGE_DAYS} days.</Empty>
      ) : (
        <Changes changes={changes} />
      )}
    </Card>
  )
}

const Period = () => <span className="text-sm text-muted-foreground">{CHANGE_DAYS} days</span>

/** Changes shown before "Show all" is pressed. */
const FEW = 8

type ChangesProps = {
  changes: readonly NumberChange[]
  /** The percentiles of the only player. Without them, each change names its player. */
  percentiles?: PlayerHome['percentiles']
}

function Changes({ changes, percentiles }: ChangesProps) {
  const [all, setAll] = useState(false)
  const shown = all ? changes : changes.slice(0, FEW)
  return (
    <>
      <ul className="-my-2 divide-y divide-border">
        {shown.map((change) => (
          <Change key={change.id} change={change} named={!percentiles} percentile={percentileOf(change, percentiles)} />
        ))}
      </ul>
      {shown.length < changes.length && (
        <Button variant="link" className="justify-self-start px-0" onClick={() => setAll(true)}>
          Show all {changes.length}
        </Button>
      )}
    </>
  )
}

type ChangeProps = { change: NumberChange; named: boolean; percentile: number | null }

function Change({ change, named, percentile }: ChangeProps) {
  const { label, unit, was, now, decimals, taken_at, full_name, player_id, positions, grad_year } = change
  const better = isBetter(change)
  const Icon = better === undefined ? Minus : (change.was ?? 0) < now ? TrendingUp : TrendingDown
  return (
    <li className="grid grid-cols-[auto_1fr_auto] items-center gap-x-3 py-2.5">
      <span
        className={cn(
          'grid size-9 place-items-center rounded-lg',
          better === undefined
            ? 'bg-muted text-muted-foreground'
            : better
              ? 'bg-secondary text-primary'
              : 'bg-accent-soft text-accent',
        )}
      >
        <Icon aria-hidden className="size-4.5" />
      </span>
      <span className="min-w-0">
        <span className="block wrap-anywhere">
          {named && (
            <Link
              to={paths.playerById.replace(':id', player_id)}
              className="font-semibold underline-offset-4 hover:text-primary hover:underline"
            >
              {full_name}
            </Link>
          )}
          {named && (
            <span className="text-muted-foreground"> {[positions?.[0], grad_year].filter(Boolean).join(' · ')} </span>
          )}
          <span className={named ? 'block text-sm' : 'font-semibold'}>{label}</span>
        </span>
        <span className="flex flex-wrap items-center gap-1.5 text-sm text-muted-foreground">
          <Evidence source={change.source} verified={change.verified} />
          {changeWords(change)}
          {better !== undefined && <span className="sr-only">, {better ? 'better' : 'worse'}</span>} ·{' '}
          {shortDay(taken_at)}
        </span>
      </span>
      <span className="text-right whitespace-nowrap tabular-nums">
        {was !== null && <span className="text-sm text-muted-foreground">{decimal(was, decimals)} → </span>}
        <strong className="font-display">{decimal(now, decimals) || UNKNOWN}</strong>{' '}
        <span className="text-sm text-muted-foreground">{unit}</span>
        {percentile !== null && <PercentileChip percentile={percentile} className="ml-2" />}
      </span>
    </li>
  )
}
