import { useState } from 'react'
import { shortNameOf, SIDES, type Game, type GameRecord, type Side } from '@/data/games/model'
import { FIELD_BOX, FieldDrawing } from '@/features/games/components/field-drawing'
import { spray, type Batted, type BattedKind } from '@/features/games/spray'
import { Button } from '@/ui/button'
import { Card, Empty } from '@/ui/section'

const KINDS: readonly (readonly [kind: BattedKind, name: string])[] = [
  ['single', 'Single'],
  ['double', 'Double'],
  ['triple', 'Triple'],
  ['home_run', 'Home run'],
  ['error', 'Error'],
  ['out', 'Out'],
]

/** Where a team's batted balls came down. Nothing is shown of a game whose balls have no location. */
export function SprayChart({ game, records }: { game: Game; records: readonly GameRecord[] }) {
  const [side, setSide] = useState<Side>(0)
  const all = spray(records)
  if (all.length === 0) return null
  const balls = all.filter((ball) => ball.side === side)
  const teams = [game.visitor_name, game.home_name] as const
  const legend = KINDS.map(([kind, name]) => [kind, name, balls.filter((ball) => ball.kind === kind).length] as const)
  const summary = legend
    .filter(([, , count]) => count > 0)
    .map(([, name, count]) => `${name} ${count}`)
    .join(', ')
  return (
    <Card title="Spray chart">
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1" role="group" aria-label="Batting">
        {SIDES.map((one) => (
          <Button
            key={one}
            size="sm"
            variant={one === side ? 'secondary' : 'ghost'}
            className="min-w-0 truncate"
            aria-pressed={one === side}
            onClick={() => setSide(one)}
          >
            {teams[one]}
          </Button>
        ))}
      </div>
      {balls.length === 0 ? (
        <Empty>No ball of {teams[side]} has a location.</Empty>
      ) : (
        <figure className="grid gap-3">
          <svg
            viewBox={`${FIELD_BOX.x} ${FIELD_BOX.y} ${FIELD_BOX.width} ${FIELD_BOX.height}`}
            role="img"
            aria-label={`${teams[side]}: ${summary}`}
            className="max-h-96 w-full rounded-xl bg-night"
          >
            <FieldDrawing>
              {balls.map((ball) => (
                <Mark key={ball.id} ball={ball} name={shortNameOf(game.athletes.get(ball.batter))} />
              ))}
            </FieldDrawing>
          </svg>
          <figcaption className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            {legend.map(
              ([kind, name, count]) =>
                count > 0 && (
                  <span key={kind} className="flex items-center gap-1.5">
                    <svg viewBox="-10 -10 20 20" className="size-4 rounded bg-night" aria-hidden>
                      <Shape kind={kind} size={7} />
                    </svg>
                    {name} {count}
                  </span>
                ),
            )}
          </figcaption>
        </figure>
      )}
    </Card>
  )
}

function Mark({ ball: { spot, kind }, name }: { ball: Batted; name: string }) {
  return (
    <g transform={`translate(${spot.x.toFixed(1)} ${(-spot.y).toFixed(1)})`}>
      <title>{name}</title>
      <Shape kind={kind} size={9} />
    </g>
  )
}

/** One shape and colour for each kind; an out is hollow. */
function Shape({ kind, size }: { kind: BattedKind; size: number }) {
  switch (kind) {
    case 'single':
      return <circle r={size} className="fill-[#80c1ff]" />
    case 'double':
      return <rect x={-size} y={-size} width={2 * size} height={2 * size} className="fill-[#95f3de]" />
    case 'triple':
      return <path d={`M0 ${-size} L${size} ${size} L${-size} ${size} Z`} className="fill-[#deb95c]" />
    case 'home_run':
      return <path d={`M0 ${-size} L${size} 0 L0 ${size} L${-size} 0 Z`} className="fill-[#ffb08a]" />
    case 'error':
      return (
        <path
          d={`M${-size} ${-size} L${size} ${size} M${size} ${-size} L${-size} ${size}`}
          className="stroke-[#e3b6ff]"
          strokeWidth="4"
        />
      )
    default:
      return <circle r={size - 1} className="fill-none stroke-white" strokeWidth="3" />
  }
}
