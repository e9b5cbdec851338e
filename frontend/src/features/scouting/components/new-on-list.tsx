import { Link } from 'react-router'
import type { ListChange } from '@/data/scouting/queries'
import { day, decimal } from '@/lib/format'
import { paths } from '@/lib/paths'

/** The numbers of a list's players that were entered since the last visit. */
export function NewOnList({ changes }: { changes: readonly ListChange[] }) {
  const [first] = changes
  if (!first) return null
  return (
    <div className="rounded-xl bg-accent-soft px-4 py-3 text-sm">
      <p className="font-semibold">New since your last visit, {day(first.since)}</p>
      <ul>
        {changes.map(({ id, player_id, full_name, label, now, unit, was, decimals }) => (
          <li key={id} className="wrap-anywhere tabular-nums">
            <Link
              to={paths.playerById.replace(':id', player_id)}
              className="font-medium underline-offset-4 hover:text-primary hover:underline"
            >
              {full_name}
            </Link>
            {`: ${label} ${decimal(now, decimals)} ${unit}, ${was === null ? 'first' : `was ${decimal(was, decimals)}`}`}
          </li>
        ))}
      </ul>
    </div>
  )
}
