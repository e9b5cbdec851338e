import { useQuery } from '@tanstack/react-query'
import { Minus, TrendingDown, TrendingUp } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { CHANGE_DAYS, changesQuery, type NumberChange } from '@/data/home/games'
import { decimal, shortDay, UNKNOWN } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Evidence } from '@/ui/evidence'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { changeWords, isBetter } from '@/features/home/games'

/** What changed in the player's own numbers. */
export function OwnChanges({ userId }: { userId: string }) {
  const query = useQuery(changesQuery(userId, false))
  return (
    <Section
      title="What changed"
      text={`Your numbers of the last ${CHANGE_DAYS} days.`}
      query={query}
      problem="Your numbers could not be loaded."
      skeleton={<RowsSkeleton rows={3} />}
    >
      {(changes) =>
        changes.length === 0 ? (
          <Empty>
            Nothing measured in {CHANGE_DAYS} days.{' '}
            <Link to={paths.player} className="font-medium text-primary underline underline-offset-4">
              Add a number
            </Link>
          </Empty>
        ) : (
          <Changes changes={changes} named={false} />
        )
      }
    </Section>
  )
}

/** What moved on a scout's lists. */
export function ListChanges({ userId }: { userId: string }) {
  const query = useQuery(changesQuery(userId, true))
  return (
    <Section
      title="Moved on your lists"
      text={`Numbers of the last ${CHANGE_DAYS} days.`}
      query={query}
      problem="Your lists could not be loaded."
      skeleton={<RowsSkeleton rows={FEW} />}
      actions={
        <Button asChild variant="outline">
          <Link to={paths.scout}>My lists</Link>
        </Button>
      }
    >
      {(changes) =>
        changes.length === 0 ? (
          <Empty>Nobody on your lists was measured in {CHANGE_DAYS} days.</Empty>
        ) : (
          <Changes changes={changes} named />
        )
      }
    </Section>
  )
}

/** Changes shown before "Show all" is pressed. */
const FEW = 8

function Changes({ changes, named }: { changes: readonly NumberChange[]; named: boolean }) {
  const [all, setAll] = useState(false)
  const shown = all ? changes : changes.slice(0, FEW)
  return (
    <>
      <ul className="divide-y divide-border">
        {shown.map((change) => (
          <Change key={change.id} change={change} named={named} />
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

function Change({ change, named }: { change: NumberChange; named: boolean }) {
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
      </span>
    </li>
  )
}
