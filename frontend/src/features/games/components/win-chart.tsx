import { half, shortNameOf, type Game, type GameRecord } from '@/data/games/model'
import { biggestPlay, percent, turningPoint, worthPlays, type WorthPlay } from '@/features/games/story'
import { words } from '@/features/games/words'
import { Card } from '@/ui/section'

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [600, 240, 56, 12, 24, 28]

/** The chance to win after each play, with the play that changed it the most. The visitors' share is above the line. */
export function WinChart({ game, records }: { game: Game; records: readonly GameRecord[] }) {
  const plays = worthPlays(records)
  if (plays.length < 2) return null
  const name = (id: string) => shortNameOf(game.athletes.get(id))
  const biggest = biggestPlay(plays)
  const summary = biggest
    ? turningPoint(biggest, [game.visitor_name, game.home_name], name, game.home_bats_first)
    : 'Win probability by play.'
  return (
    <Card title="Win probability" aside={game.status === 'live' && <Favourite game={game} last={plays.at(-1)} />}>
      <figure className="grid gap-3">
        <Drawing {...{ plays, biggest, summary }} label={biggest && labelOf(biggest, records, name)} />
        <figcaption className="grid gap-2 text-sm text-muted-foreground">
          <span className="flex flex-wrap gap-x-4 gap-y-1 text-foreground">
            <Key className={VISITORS} text={`${game.visitor_name}, above the line`} />
            <Key className={HOME} text={`${game.home_name}, below it`} />
          </span>
          <span>
            {summary} By run expectancy of the major leagues’ season 2016, which says nothing about who these teams are.
            The information used here was obtained free of charge from and is copyrighted by Retrosheet
            (www.retrosheet.org).
          </span>
        </figcaption>
      </figure>
      <details>
        <summary className="cursor-pointer py-2 text-sm font-medium">As a table</summary>
        <Table plays={plays} game={game} name={name} />
      </details>
    </Card>
  )
}

/** The teams' colours of the scoreboard, as quiet areas. */
const VISITORS = 'fill-[light-dark(#d3daea,#22304a)] bg-[light-dark(#d3daea,#22304a)]'
const HOME = 'fill-[light-dark(#cfe4e3,#17403c)] bg-[light-dark(#cfe4e3,#17403c)]'

const Key = ({ className, text }: { className: string; text: string }) => (
  <span className="flex items-center gap-1.5">
    <span aria-hidden className={`size-3.5 rounded-sm border border-border ${className}`} />
    {text}
  </span>
)

/** "Comets 77%": the team that is more likely to win now. */
function Favourite({ game, last }: { game: Game; last: WorthPlay | undefined }) {
  if (!last) return null
  const home = last.home >= 0.5
  return (
    <p className="flex min-w-0 items-baseline gap-2">
      <span className="truncate text-sm">{home ? game.home_name : game.visitor_name}</span>
      <span className="font-display text-xl font-bold tabular-nums">{percent(home ? last.home : 1 - last.home)}</span>
    </p>
  )
}

/** "Bell home run +28": in points of a hundred, for the team at bat. */
function labelOf({ record, outcome, added }: WorthPlay, records: readonly GameRecord[], name: (id: string) => string) {
  const found = records.find(({ id }) => id === record.id) ?? record
  const [title = ''] = words(found, name).title.split(/ to |,/)
  const who = name(outcome.win?.player ?? outcome.batter)
  const said = title.includes(who) ? title : `${who} ${title.toLowerCase()}`
  return `${said} ${added < 0 ? '−' : '+'}${Math.round(Math.abs(added) * 100)}`
}

type DrawingProps = {
  plays: readonly WorthPlay[]
  biggest: WorthPlay | null
  summary: string
  label: string | null
}

function Drawing({ plays, biggest, summary, label }: DrawingProps) {
  const x = (index: number) => LEFT + ((index + 1) / plays.length) * (WIDTH - LEFT - RIGHT)
  const y = (home: number) => TOP + home * (HEIGHT - TOP - BOTTOM)
  const points = plays.map(({ home }, index) => `${x(index).toFixed(1)},${y(home).toFixed(1)}`)
  const line = [`${LEFT},${y(0.5).toFixed(1)}`, ...points].join(' ')
  const [left, right] = [LEFT, x(plays.length - 1).toFixed(1)]
  const innings = plays.flatMap(({ outcome }, index) =>
    outcome.inning === plays[index - 1]?.outcome.inning ? [] : [{ inning: outcome.inning, at: x(index - 1) }],
  )
  const at = biggest ? plays.indexOf(biggest) : -1
  const spot = biggest && { x: x(at), y: y(biggest.home) }
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={summary} className="w-full">
      <polygon points={`${left},${y(0)} ${line} ${right},${y(0)}`} className={VISITORS} />
      <polygon points={`${left},${y(1)} ${line} ${right},${y(1)}`} className={HOME} />
      <line x1={LEFT} x2={right} y1={y(0.5)} y2={y(0.5)} className="stroke-muted-foreground" strokeDasharray="4 4" />
      {[0, 0.5, 1].map((home) => (
        <text
          key={home}
          x={LEFT - 6}
          y={y(home) + 4}
          textAnchor="end"
          className="fill-muted-foreground text-[11px] max-sm:text-[20px]"
        >
          {percent(Math.max(home, 1 - home))}
        </text>
      ))}
      {innings.map(({ inning, at }) => (
        <text key={inning} x={at + 2} y={HEIGHT - 6} className="fill-muted-foreground text-[11px] max-sm:text-[20px]">
          {inning}
        </text>
      ))}
      <polyline points={line} className="fill-none stroke-foreground" strokeWidth="2" strokeLinejoin="round" />
      {spot && <circle cx={spot.x} cy={spot.y} r="5" className="fill-clay stroke-card" strokeWidth="1.5" />}
      {spot && label && (
        <text
          x={spot.x + (spot.x > WIDTH / 2 ? -9 : 9)}
          y={Math.min(Math.max(spot.y - 9, TOP + 8), HEIGHT - BOTTOM - 6)}
          textAnchor={spot.x > WIDTH / 2 ? 'end' : 'start'}
          className="fill-foreground stroke-card text-[12px] font-semibold max-sm:text-[20px]"
          strokeWidth="3"
          paintOrder="stroke"
        >
          {label}
        </text>
      )}
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
