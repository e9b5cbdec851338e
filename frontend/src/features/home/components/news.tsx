import { useQuery } from '@tanstack/react-query'
import { shortDay } from '@/lib/format'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { Person } from '@/features/home/components/people'
import { discoverQuery, newsQuery } from '@/data/home/queries'

/** A piece of news and the day it happened on. */
const dated = (what: string, on: string | null) => (on ? `${what} · ${shortDay(on)}` : what)

/** The latest of those whom one follows. */
export function News({ userId }: { userId: string }) {
  const query = useQuery(newsQuery(userId))
  return (
    <Section
      title="Following"
      text="Last added."
      query={query}
      problem="The news could not be loaded."
      skeleton={<RowsSkeleton rows={4} />}
    >
      {(news) =>
        news === null || news.length === 0 ? (
          <Empty>
            {news === null
              ? 'You follow nobody yet. Open a player of the list and press Follow.'
              : 'Nothing new from those you follow.'}
          </Empty>
        ) : (
          <ul className="divide-y divide-border">
            {news.map(({ id, playerId, name, what, on }) => (
              <Person key={id} id={playerId} name={name} facts={dated(what, on)} />
            ))}
          </ul>
        )
      }
    </Section>
  )
}

/** Players to begin with, for who does not know anybody here yet. */
export function Discover({ userId }: { userId: string }) {
  const query = useQuery(discoverQuery(userId))
  return (
    <Section
      title="Newly verified"
      text="Confirmed by a coach."
      query={query}
      problem="The players could not be loaded."
      skeleton={<RowsSkeleton rows={6} />}
    >
      {(players) =>
        players.length === 0 ? (
          <Empty>No number is verified yet. Yours could be the first.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {players.map(({ id, name, what, on, player }) => (
              <Person key={id} id={id} name={name} facts={dated(what, on)}>
                <span className="text-sm whitespace-nowrap text-muted-foreground">
                  {[player.positions[0], player.grad_year].filter(Boolean).join(' · ')}
                </span>
              </Person>
            ))}
          </ul>
        )
      }
    </Section>
  )
}
