import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { nameOf, SIDES, type Athlete, type Batting, type Game, type Pitching, type Side } from '@/data/games/model'
import { BATTING, PITCHING, type Stat } from '@/features/games/box-stats'
import type { StatChoice } from '@/features/games/components/stat-dialog'
import { innings, UNKNOWN } from '@/lib/format'
import { lazyScreen } from '@/lib/lazy-screen'
import { paths } from '@/lib/paths'
import { whenQuiet } from '@/lib/when-quiet'
import { openWhenLoaded } from '@/ui/open-when-loaded'
import { Card, Empty } from '@/ui/section'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'

/** The lines of both teams. */
export function BoxScore({ game }: { game: Game }) {
  return (
    <Card title="Box score">
      <Tabs defaultValue="0">
        <TabsList aria-label="Team">
          {SIDES.map((side) => (
            <TabsTrigger key={side} value={String(side)} className="min-w-0 truncate px-2">
              {side === 0 ? game.visitor_name : game.home_name}
            </TabsTrigger>
          ))}
        </TabsList>
        {SIDES.map((side) => (
          <TabsContent key={side} value={String(side)} className="grid gap-6">
            <BattingTable game={game} side={side} />
            <PitchingTable game={game} side={side} />
          </TabsContent>
        ))}
      </Tabs>
    </Card>
  )
}

/** A side's batters in batting order, each starter followed by the substitutes. */
export function battingOrder(game: Game, side: Side): Batting[] {
  const entered = (row: Batting) => game.athletes.get(row.athlete_id)?.order ?? 99
  return game.batters
    .filter((row) => row.side === side)
    .sort((one, other) => (one.bat_order ?? 0) - (other.bat_order ?? 0) || entered(one) - entered(other))
}

function BattingTable({ game, side }: { game: Game; side: Side }) {
  const rows = battingOrder(game, side)
  if (rows.length === 0) return <Empty>The lineup is not known yet.</Empty>
  return (
    <Table
      name="Batting"
      game={game}
      side={side}
      columns={BATTING}
      rows={rows}
      who={(row) => <Who athlete={game.athletes.get(row.athlete_id)} also={row.positions} />}
      total
    />
  )
}

function PitchingTable({ game, side }: { game: Game; side: Side }) {
  const rows = game.pitchers.filter((row) => row.side === side)
  if (rows.length === 0) return null
  const decision = ({ w, l, sv }: Pitching) => (w ? 'W' : l ? 'L' : sv ? 'SV' : '')
  return (
    <Table
      name="Pitching"
      game={game}
      side={side}
      columns={PITCHING}
      rows={rows}
      who={(row) => <Who athlete={game.athletes.get(row.athlete_id)} also={decision(row)} />}
    />
  )
}

type TableProps<Row> = {
  name: 'Batting' | 'Pitching'
  game: Game
  side: Side
  columns: readonly Stat<Row>[]
  rows: readonly Row[]
  who: (row: Row) => ReactNode
  total?: boolean
}

const load = () => import('@/features/games/components/stat-dialog')
const StatDialog = lazyScreen(load)

/** Numbers, each of which opens its definition and the plays behind it. */
function Table<Row extends { athlete_id: string }>(props: TableProps<Row>) {
  const { name, game, side, columns, rows, who, total = false } = props
  const [chosen, setChosen] = useState<{ choice: StatChoice; opener: HTMLElement } | null>(null)
  useEffect(() => whenQuiet(load), [])
  const cell = (stat: Stat<Row>, amount: number, athlete: string | null) => {
    const person = athlete === null ? 'The whole team' : nameOf(game.athletes.get(athlete))
    const shown = stat.short === 'IP' ? innings(amount) : String(amount)
    const choice = { stat, shown, amount, athlete, who: person, side, pitching: name === 'Pitching' }
    return (
      <td key={stat.short} className="py-0.5 text-right">
        <button
          type="button"
          aria-haspopup="dialog"
          aria-label={`${shown} ${stat.name}, ${person}`}
          className="min-h-9 w-full min-w-8 cursor-pointer rounded-md px-1.5 text-right underline-offset-4 hover:bg-muted hover:underline"
          onClick={({ currentTarget }) => void openWhenLoaded(load, () => setChosen({ choice, opener: currentTarget }))}
        >
          {shown}
        </button>
      </td>
    )
  }
  const sum = (value: (row: Row) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  return (
    <div className="overflow-x-auto" role="region" aria-label={name}>
      <table className="w-full text-sm tabular-nums">
        <Heads name={name} columns={columns} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.athlete_id} className="border-t border-border">
              <th scope="row" className="py-2 pr-2 text-left font-normal">
                {who(row)}
              </th>
              {columns.map((stat) => cell(stat, stat.value(row), row.athlete_id))}
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr className="border-t-2 border-border font-semibold">
              <th scope="row" className="py-2 pr-2 text-left">
                Total
              </th>
              {columns.map((stat) => cell(stat, sum(stat.value), null))}
            </tr>
          </tfoot>
        )}
      </table>
      {chosen && (
        <Suspense>
          <StatDialog
            game={game}
            choice={chosen.choice}
            onClose={() => setChosen(null)}
            onCloseAutoFocus={(event) => {
              event.preventDefault()
              chosen.opener.focus()
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

type HeadsProps = { name: string; columns: readonly Pick<Stat<never>, 'short' | 'name'>[] }

function Heads({ name, columns }: HeadsProps) {
  return (
    <thead>
      <tr className="text-muted-foreground">
        <th scope="col" className="py-2 pr-2 text-left font-medium">
          {name}
        </th>
        {columns.map((stat) => (
          <th key={stat.short} scope="col" className="px-1.5 py-2 text-right font-medium">
            <abbr title={stat.name} className="no-underline">
              {stat.short}
            </abbr>
          </th>
        ))}
      </tr>
    </thead>
  )
}

function Who({ athlete, also }: { athlete: Athlete | undefined; also: string }) {
  const name = athlete ? nameOf(athlete) : UNKNOWN
  return (
    <>
      {athlete?.user_id ? (
        <Link
          to={paths.playerById.replace(':id', athlete.user_id)}
          className="font-medium text-primary underline underline-offset-4"
        >
          {name}
        </Link>
      ) : (
        <span className="font-medium">{name}</span>
      )}{' '}
      <span className="text-muted-foreground">{also}</span>
    </>
  )
}
