import { TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { Arm } from '@/data/home/queries'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { ARMS_ID } from '@/features/home/components/arms'

/** Warns of pitchers who threw more than the rules allow on a day of the last week. */
export function PitchAlert({ arms }: { arms: readonly Arm[] }) {
  const breaches = arms.filter(({ over_on }) => over_on !== null)
  const [first] = breaches
  if (!first) return null
  return (
    <div
      role="alert"
      className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-warning/40 bg-accent-soft p-4"
    >
      <TriangleAlert aria-hidden className="size-5 shrink-0 self-start text-warning" />
      <div className="min-w-0 grow basis-52">
        <p className="font-semibold text-warning">
          {breaches.length === 1 ? 'Over the pitch limit' : `${breaches.length} pitchers over the limit`}
        </p>
        <ul>
          {breaches.map(({ athlete_id, full_name, over_on, over_pitches, day_limit }) => (
            <li key={athlete_id} className="wrap-anywhere tabular-nums">
              {full_name}: {over_pitches} pitches on {shortDay(over_on ?? '')}, limit {day_limit}
            </li>
          ))}
        </ul>
      </div>
      {breaches.length === 1 && first.over_game ? (
        <Button asChild variant="outline">
          <Link to={paths.gameById.replace(':id', first.over_game)}>Open the game</Link>
        </Button>
      ) : (
        <Button variant="outline" onClick={() => document.getElementById(ARMS_ID)?.focus()}>
          See arms
        </Button>
      )}
    </div>
  )
}
