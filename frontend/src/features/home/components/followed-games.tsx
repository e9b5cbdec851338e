import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { homeGamesQuery } from '@/data/home/games'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { whenWords } from '@/features/home/games'

/** The live games and last results of the players whom a fan follows. */
export function FollowedGames({ userId }: { userId: string }) {
  const query = useQuery(homeGamesQuery(userId))
  return (
    <Section
      title="Games of those you follow"
      text="Live, next, and the last eight days."
      query={query}
      problem="The games could not be loaded."
      skeleton={<RowsSkeleton rows={3} />}
      actions={
        <Button asChild variant="outline">
          <Link to={paths.timeline}>Timeline</Link>
        </Button>
      }
    >
      {(games) => {
        const followed = games.filter((game) => game.followed.length > 0)
        if (followed.length === 0) return <Empty>None of the players you follow plays these days.</Empty>
        return (
          <ul className="divide-y divide-border">
            {followed.map((game) => (
              <li key={game.id} className="grid grid-cols-[1fr_auto] gap-x-3 py-2.5">
                <span className="min-w-0">
                  <Link
                    to={paths.gameById.replace(':id', game.id)}
                    className="font-medium wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
                  >
                    {game.visitor_name} at {game.home_name}
                  </Link>
                  <span className="block text-sm wrap-anywhere text-muted-foreground">{game.followed.join(', ')}</span>
                </span>
                <span className="text-right">
                  {game.status !== 'scheduled' && (
                    <span className="block font-display font-bold tabular-nums">
                      {game.visitor_runs}–{game.home_runs}
                    </span>
                  )}
                  <span className="text-sm text-muted-foreground">{whenWords(game, new Date())}</span>
                </span>
              </li>
            ))}
          </ul>
        )
      }}
    </Section>
  )
}
