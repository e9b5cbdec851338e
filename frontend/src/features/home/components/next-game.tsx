import { MapPin } from 'lucide-react'
import { Link } from 'react-router'
import type { HomeGame } from '@/data/home/games'
import { paths } from '@/lib/paths'
import { nextOf, whenWords } from '@/features/home/games'

/** The next game of the player's team; nothing while none is scheduled. */
export function NextGame({ games }: { games: readonly HomeGame[] }) {
  const now = new Date()
  const next = nextOf(games, now)
  if (!next) return null
  return (
    <section aria-labelledby="next-game" className="overflow-hidden rounded-xl bg-night text-night-foreground">
      <Link
        to={paths.gameById.replace(':id', next.id)}
        className="grid gap-2 p-5 outline-offset-[-4px] hover:bg-night-raised sm:p-6"
      >
        <h2 id="next-game" className="text-sm font-semibold text-night-muted">
          {next.status === 'live' ? 'Being played' : 'Your next game'}
        </h2>
        <span className="font-display text-2xl leading-tight font-bold wrap-anywhere">
          {next.visitor_name} at {next.home_name}
        </span>
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1 text-night-muted">
          <span className="font-semibold text-clay">{whenWords(next, now)}</span>
          {next.place && (
            <span className="inline-flex items-center gap-1.5 wrap-anywhere">
              <MapPin aria-hidden className="size-4 shrink-0" />
              {next.place}
            </span>
          )}
        </span>
      </Link>
    </section>
  )
}
