import { Link } from 'react-router'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Card, Empty } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import { Person } from '@/features/home/components/people'
import { measured, newsWords, type NewsRow } from '@/data/home/feed'
import type { Discovered } from '@/data/home/queries'

/** What happened and the day it happened on. */
const dated = (what: string, on: string | null) => (on ? `${what} · ${shortDay(on)}` : what)

/** News of followed players. `news` is null if the user follows nobody. */
export function News({ news }: { news: readonly NewsRow[] | null }) {
  return (
    <Card title="Following" aside={<MoreLink to={paths.followedPlayers}>All</MoreLink>}>
      {news === null || news.length === 0 ? (
        <Empty>
          {news === null ? (
            <>
              You follow nobody yet.{' '}
              <Link to={paths.search} className="font-medium text-primary underline underline-offset-4">
                Find a player
              </Link>
            </>
          ) : (
            'Nothing new from those you follow.'
          )}
        </Empty>
      ) : (
        <ul className="-my-2 divide-y divide-border">
          {news.map((row) => (
            <Person
              key={row.id}
              id={row.player_id}
              name={row.full_name}
              facts={dated(newsWords(row), row.happened_on)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Players to begin with, for who does not know anybody here yet. */
export function Discover({ players }: { players: readonly Discovered[] }) {
  return (
    <Card title="Newly verified">
      {players.length === 0 ? (
        <Empty>No number is verified yet. Yours could be the first.</Empty>
      ) : (
        <ul className="-my-2 divide-y divide-border">
          {players.map((player) => (
            <Person
              key={player.player_id}
              id={player.player_id}
              name={player.full_name}
              about={[player.position, player.grad_year].filter(Boolean).join(' · ')}
              facts={dated(measured(player), player.taken_at)}
            />
          ))}
        </ul>
      )}
    </Card>
  )
}
