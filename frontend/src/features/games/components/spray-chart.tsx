import { useState } from 'react'
import { shortNameOf, SIDES, type Game, type GameRecord, type Side } from '@/data/games/model'
import { FIELD_BOX, FieldDrawing } from '@/features/games/components/field-drawing'
import { ENOUGH_BALLS, FIELDS, spray, thirdOf, thirds, type Batted, type BattedKind } from '@/features/games/spray'
import { percent } from '@/features/games/story'
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
  return (
    <Card title="Spray chart">
      <Teams names={teams} side={side} onChange={setSide} />
      {balls.length === 0 ? (
        <Empty>No ball of {teams[side]} has a location.</Empty>
      ) : (
        <SprayFigure balls={balls} batters={teams[side]} nameOf={(id) => shortNameOf(game.athletes.get(id))} />
      )}
    </Card>
  )
}

type TeamsProps = { names: readonly [string, string]; side: Side; onChange: (side: Side) => void }

function Teams({ names, side, onChange }: TeamsProps) {
  return (
    <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1" role="group" aria-label="Batting">
      {SIDES.map((one) => (
        <Button
          key={one}
          size="sm"
          variant={one === side ? 'secondary' : 'ghost'}
          className="min-w-0 truncate"
          aria-pressed={one === side}
          onClick={() => onChange(one)}
        >
          {names[one]}
        </Button>
      ))}
    </div>
  )
}

type SprayFigureProps = {
  /** At least one. */
  balls: readonly Batted[]
  /** Who hit them. */
  batters: string
  nameOf: (batter: string) => string
}

/** Batted balls on the field, with shares, a legend and a table. */
export function SprayFigure({ balls, batters, nameOf }: SprayFigureProps) {
  const shares = thirds(balls)
  const legend = KINDS.map(([kind, name]) => [kind, name, balls.filter((ball) => ball.kind === kind).length] as const)
  const summary = legend
    .filter(([, , count]) => count > 0)
    .map(([, name, count]) => `${name} ${count}`)
    .join(', ')
  return (
    <figure className="grid gap-3">
      <p className="text-sm">
        {shares
          ? `${FIELDS.map((field, index) => `${percent(shares[index] ?? 0)} to ${field}`).join(', ')}, of ${balls.length} balls with a location.`
          : `${balls.length} of ${ENOUGH_BALLS} balls with a location that shares of the fields need.`}
      </p>
      <svg
        viewBox={`${FIELD_BOX.x} ${FIELD_BOX.y} ${FIELD_BOX.width} ${FIELD_BOX.height}`}
        role="img"
        aria-label={`${batters}: ${summary}`}
        className="max-h-96 w-full rounded-xl bg-night"
      >
        <FieldDrawing>
          <Thirds shares={shares ?? [0, 0, 0]} />
          {balls.map((ball) => (
            <Mark key={ball.id} ball={ball} name={nameOf(ball.batter)} />
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
      <details>
        <summary className="cursor-pointer py-2 text-sm font-medium">As a table</summary>
        <Table balls={balls} name={nameOf} />
      </details>
    </figure>
  )
}

/** The third with more balls is lighter; arcs are 100, 200 and 300 feet from the plate. */
function Thirds({ shares }: { shares: readonly [number, number, number] }) {
  const most = Math.max(...shares) || 1
  return (
    <g aria-hidden>
      {shares.map((share, third) => (
        <path
          key={third}
          d={`M0 0 L${at(400, third * 30 - 45)} A400 400 0 0 1 ${at(400, third * 30 - 15)} Z`}
          className="fill-white"
          opacity={(0.04 + 0.09 * (share / most)).toFixed(3)}
        />
      ))}
      {[100, 200, 300].map((feet) => (
        <g key={feet}>
          <path
            d={`M${at(feet, -45)} A${feet} ${feet} 0 0 1 ${at(feet, 45)}`}
            className="fill-none stroke-white/45"
            strokeDasharray="6 6"
          />
          <text
            y={4 - feet}
            textAnchor="middle"
            className="fill-white stroke-[#2f6b45] text-[13px]"
            strokeWidth="4"
            paintOrder="stroke"
          >
            {feet}
          </text>
        </g>
      ))}
    </g>
  )
}

/** A point this far from the plate, at an angle from the line to second base. */
function at(feet: number, angle: number) {
  const radians = (angle * Math.PI) / 180
  return `${(feet * Math.sin(radians)).toFixed(1)} ${(-feet * Math.cos(radians)).toFixed(1)}`
}

function Table({ balls, name }: { balls: readonly Batted[]; name: (id: string) => string }) {
  return (
    <div className="max-h-80 overflow-auto" tabIndex={0} role="region" aria-label="Batted balls">
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-left text-muted-foreground">
            {['Batter', 'Result', 'Field', 'Feet'].map((head) => (
              <th key={head} scope="col" className="py-2 pr-3 font-medium last:pr-0 last:text-right">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {balls.map(({ id, batter, kind, spot }) => (
            <tr key={id} className="border-t border-border">
              <td className="py-1.5 pr-3">{name(batter)}</td>
              <td className="py-1.5 pr-3">{KINDS.find(([one]) => one === kind)?.[1]}</td>
              <td className="py-1.5 pr-3">{FIELDS[thirdOf(spot)]}</td>
              <td className="py-1.5 text-right">{Math.round(Math.hypot(spot.x, spot.y) / 10) * 10}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
