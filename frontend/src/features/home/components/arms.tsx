import { Check, CircleHelp, Clock } from 'lucide-react'
import { Link } from 'react-router'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { cn } from '@/ui/class-names'
import { Card, Empty } from '@/ui/section'
import { isOverLimit, localDay, readyWords } from '@/features/home/games'
import type { Arm } from '@/data/home/queries'

/** Where the banner about a breach leads. */
export const ARMS_ID = 'arms'

/** The pitchers of the last seven days: pitches against the daily limit, and when they may pitch again. */
export function Arms({ arms }: { arms: readonly Arm[] }) {
  return (
    <div id={ARMS_ID} tabIndex={-1} className="scroll-mt-20 rounded-2xl">
      <Card title="Arms" aside={<span className="text-sm text-muted-foreground">Pitch Smart limits</span>}>
        {arms.length === 0 ? (
          <Empty>No outing in the last seven days.</Empty>
        ) : (
          <ul className="-my-2 divide-y divide-border">
            {arms.map((arm) => (
              <Pitcher key={arm.athlete_id} arm={arm} />
            ))}
          </ul>
        )}
      </Card>
    </div>
  )
}

function Pitcher({ arm }: { arm: Arm }) {
  const { user_id, full_name, played_on, pitches, day_limit, ready_on } = arm
  const now = new Date()
  const rests = ready_on === null || ready_on > localDay(now)
  const Icon = ready_on === null ? CircleHelp : rests ? Clock : Check
  const over = isOverLimit(arm)
  return (
    <li className="grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-1.5 py-2">
      <span className="min-w-0">
        {user_id ? (
          <Link
            to={paths.playerById.replace(':id', user_id)}
            className="font-medium wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
          >
            {full_name}
          </Link>
        ) : (
          <span className="font-medium wrap-anywhere">{full_name}</span>
        )}
        <span className={cn('block text-sm tabular-nums', over ? 'text-accent' : 'text-muted-foreground')}>
          {pitches === null ? 'Pitches not counted' : `${pitches} pitches`}
          {pitches !== null && day_limit !== null && ` of ${day_limit}`} · {shortDay(played_on)}
          {over && ', over the limit'}
        </span>
      </span>
      <span
        className={cn(
          'inline-flex items-center gap-1 rounded-md px-2 py-1 text-xs font-semibold',
          rests ? 'bg-accent-soft text-warning' : 'bg-secondary text-success',
        )}
      >
        <Icon aria-hidden className="size-3.5" />
        {readyWords(ready_on, now)}
      </span>
      {pitches !== null && day_limit !== null && (
        <span aria-hidden className="col-span-2 block h-1.5 overflow-hidden rounded-full bg-muted">
          <span
            className={cn('block h-full rounded-full', barColor(pitches))}
            style={{ width: `${Math.min(100, (100 * pitches) / day_limit)}%` }}
          />
        </span>
      )}
    </li>
  )
}

/** Amounts are green; from 45 and from 75 pitches on they stand out. */
function barColor(pitches: number): string {
  if (pitches >= 75) return 'bg-[light-dark(#bb5520,#dd8443)]'
  return pitches >= 45 ? 'bg-[light-dark(#e0965f,#a8663a)]' : 'bg-[light-dark(#3f8a67,#4aa97d)]'
}
