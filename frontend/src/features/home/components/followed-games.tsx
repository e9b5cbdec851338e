import { Link } from 'react-router'
import type { HomeGame } from '@/data/home/games'
import { paths } from '@/lib/paths'
import { Card, Empty } from '@/ui/section'
import { MoreLink } from '@/features/home/components/more-link'
import { whenWords } from '@/features/home/games'

/** The live games and last results of the players whom a fan follows. */
export function FollowedGames({ games }: { games: readonly HomeGame[] }) {
  const followed = games.filter((game) => game.followed.length > 0)
  return (
    <Card title="Games of those you follow" aside={<MoreLink to={paths.timeline}>Timeline</MoreLink>}>
      {followed.length === 0 ? (
        <Empty>No games of the players you follow these days.</Empty>
      ) : (
        <ul className="-my-2 divide-y divide-border">
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
      )}
    </Card>
  )
}
