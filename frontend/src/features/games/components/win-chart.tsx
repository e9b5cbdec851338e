import { half, shortNameOf, type Game, type GameRecord } from '@/data/games/model'
import { biggestPlay, percent, turningPoint, worthPlays, type WorthPlay } from '@/features/games/story'
import { words } from '@/features/games/words'
import { Card } from '@/ui/section'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [600, 200, 34, 10, 10, 22]

/** The home team's probability to win after each play, with the play that changed it the most. */
export function WinChart({ game, records }: { game: Game; records: readonly GameRecord[] }) {
  const plays = worthPlays(records)
  if (plays.length < 2) return null
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  const biggest = biggestPlay(plays)
  const last = plays.at(-1)
  const summary = biggest
    ? turningPoint(biggest, [game.visitor_name, game.home_name], name, game.home_bats_first)
    : 'Win probability by play.'
  return (
    <Card title="Win probability">
      <figure className="grid gap-3">
        <Drawing plays={plays} biggest={biggest} game={game} summary={summary} />
        <figcaption className="text-sm text-muted-foreground">
          {summary} {last && game.status !== 'final' && `${game.home_name} now: ${percent(last.home)}. `}
          By run expectancy of the major leagues’ season 2016, which says nothing about who these teams are. The
          information used here was obtained free of charge from and is copyrighted by Retrosheet (www.retrosheet.org).
        </figcaption>
      </figure>
      <details>
        <summary className="cursor-pointer py-2 text-sm font-medium">As a table</summary>
        <Table plays={plays} game={game} name={name} />
      </details>
    </Card>
  )
}

type DrawingProps = { plays: readonly WorthPlay[]; biggest: WorthPlay | null; game: Game; summary: string }

function Drawing({ plays, biggest, game, summary }: DrawingProps) {
  const x = (index: number) => LEFT + ((index + 1) / plays.length) * (WIDTH - LEFT - RIGHT)
  const y = (home: number) => TOP + (1 - home) * (HEIGHT - TOP - BOTTOM)
  const points = plays.map(({ home }, index) => `${x(index).toFixed(1)},${y(home).toFixed(1)}`)
  const line = [`${LEFT},${y(0.5).toFixed(1)}`, ...points].join(' ')
  const innings = plays.flatMap(({ outcome }, index) =>
    outcome.inning === plays[index - 1]?.outcome.inning ? [] : [{ inning: outcome.inning, at: x(index - 1) }],
  )
  const at = biggest ? plays.indexOf(biggest) : -1
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary} className="w-full">
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            x1={LEFT}
            x2={WIDTH - RIGHT}
            y1={y(share)}
            y2={y(share)}
            className="stroke-border"
            strokeDasharray={share === 0.5 ? '4 4' : undefined}
          />
          <text x={LEFT - 6} y={y(share) + 4} textAnchor="end" className="fill-muted-foreground text-[11px]">
            {share === 1 ? '100%' : share === 0 ? '0%' : '50%'}
          </text>
        </g>
      ))}
      {innings.map(({ inning, at }) => (
        <text key={inning} x={at + 2} y={HEIGHT - 6} className="fill-muted-foreground text-[11px]">
          {inning}
        </text>
      ))}
      <text x={LEFT + 6} y={TOP + 14} className="fill-muted-foreground text-[11px]">
        {game.home_name}
      </text>
      <polygon
        points={`${LEFT},${y(0.5).toFixed(1)} ${points.join(' ')} ${x(plays.length - 1).toFixed(1)},${y(0.5).toFixed(1)}`}
        className="fill-primary/12"
      />
      <polyline points={line} className="fill-none stroke-primary" strokeWidth="2" strokeLinejoin="round" />
      {biggest && at >= 0 && <circle cx={x(at)} cy={y(biggest.home)} r="5" className="fill-clay" />}
    </svg>
  )
}

function Table({ plays, game, name }: { plays: readonly WorthPlay[]; game: Game; name: (id: string) => string }) {
  return (
    <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label="Win probability by play">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-muted-foreground">
            {['Inning', 'Play', game.home_name].map((head, index) => (
              <th key={head} scope="col" className={`py-2 font-medium ${index === 2 ? 'text-right' : 'text-left'}`}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {plays.map(({ record, outcome, home }) => (
            <tr key={record.id} className="border-t border-border">
              <td className="py-1.5 pr-3 whitespace-nowrap">
                {half(outcome.inning, outcome.batting, game.home_bats_first)}
              </td>
              <td className="py-1.5 pr-3">
                {name(outcome.batter)}: {words(record, name).title}
              </td>
              <td className="py-1.5 text-right">{percent(home)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
