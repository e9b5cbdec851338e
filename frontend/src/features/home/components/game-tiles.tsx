import { Link } from 'react-router'
import type { HomeGame } from '@/data/home/games'
import { paths } from '@/lib/paths'
import { cn } from '@/ui/class-names'
import { whenWords } from '@/features/home/games'

/** The scores of one's own teams' games and of those followed, in a row; nothing while there are none. */
export function GameTiles({ games }: { games: readonly HomeGame[] }) {
  if (games.length === 0) return null
  return (
    <nav aria-label="Games" className="mt-4 overflow-x-auto">
      <ul className="grid auto-cols-[13.4rem] grid-flow-col gap-3 xl:auto-cols-[minmax(13.4rem,1fr)]">
        {games.map((game) => (
          <li key={game.id}>
            <Tile game={game} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Tile({ game }: { game: HomeGame }) {
  const live = game.status === 'live'
  const scored = live || game.status === 'final' || game.status === 'suspended'
  return (
    <Link
      to={paths.gameById.replace(':id', game.id)}
      className={cn(
        'grid h-full content-start gap-1 rounded-xl border border-t-2 border-border bg-card px-3 py-2.5 transition-colors hover:bg-muted',
        live && 'border-t-destructive',
      )}
    >
      <span className="flex items-center justify-between gap-2 text-xs">
        <span className={cn('font-semibold', live ? 'text-destructive' : 'text-muted-foreground')}>
          {live && <span className="sr-only">Live, </span>}
          {whenWords(game, new Date())}
        </span>
        {live && <Bases game={game} />}
      </span>
      <Line
        name={game.visitor_name}
        runs={scored ? game.visitor_runs : null}
        leads={game.visitor_runs > game.home_runs}
      />
      <Line name={game.home_name} runs={scored ? game.home_runs : null} leads={game.home_runs > game.visitor_runs} />
    </Link>
  )
}

function Line({ name, runs, leads }: { name: string; runs: number | null; leads: boolean }) {
  return (
    <span
      className={cn('flex items-baseline justify-between gap-3 text-sm', leads && runs !== null && 'font-semibold')}
    >
      <span className="min-w-0 truncate">{name}</span>
      {runs !== null && <span className="font-display tabular-nums">{runs}</span>}
    </span>
  )
}

const OUTS = ['no outs', '1 out', '2 outs', '3 outs'] as const

/** Occupied bases and outs, in a word for readers who do not see them. */
function Bases({ game: { bases, outs } }: { game: HomeGame }) {
  const [first, second, third] = bases
  return (
    <span className="inline-flex items-center gap-2">
      <svg aria-hidden viewBox="0 0 24 14" className="h-3.5 w-6">
        <Base x={19} y={9} on={first} />
        <Base x={12} y={4} on={second} />
        <Base x={5} y={9} on={third} />
      </svg>
      <span className="text-muted-foreground">{OUTS[outs] ?? ''}</span>
    </span>
  )
}

function Base({ x, y, on = false }: { x: number; y: number; on?: boolean | undefined }) {
  return (
    <rect
      x={x - 2.8}
      y={y - 2.8}
      width="5.6"
      height="5.6"
      transform={`rotate(45 ${x} ${y})`}
      className={on ? 'fill-accent stroke-accent' : 'fill-none stroke-muted-foreground'}
    />
  )
}
