import { Link } from 'react-router'
import { phase } from '@/data/games/model'
import type { GameCard } from '@/data/timeline/model'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { cn } from '@/ui/class-names'

/** The score of a game, which leads to it. */
export function ResultCard({ game }: { game: GameCard }) {
  return (
    <Link
      to={paths.gameById.replace(':id', game.id)}
      className="grid max-w-md gap-1 rounded-lg border border-border px-3 py-2.5 transition-colors hover:bg-muted"
    >
      <span className="flex justify-between gap-4 text-xs text-muted-foreground">
        <span>{phase(game)}</span>
        <span>{shortDay(game.played_on)}</span>
      </span>
      <Line name={game.visitor_name} runs={game.visitor_runs} won={game.visitor_runs > game.home_runs} />
      <Line name={game.home_name} runs={game.home_runs} won={game.home_runs > game.visitor_runs} />
    </Link>
  )
}

function Line({ name, runs, won }: { name: string; runs: number; won: boolean }) {
  return (
    <span className={cn('flex items-baseline justify-between gap-4', won ? 'font-semibold' : 'text-muted-foreground')}>
      <span className="min-w-0 wrap-anywhere">{name}</span>
      <span className="font-display text-lg tabular-nums">{runs}</span>
    </span>
  )
}
