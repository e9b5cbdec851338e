import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { nameOf, SIDES, type Athlete, type Batting, type Game, type Pitching, type Side } from '@/data/games/model'
import { innings, UNKNOWN } from '@/lib/format'
import { paths } from '@/lib/paths'
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

const BATTING = [
  ['AB', 'At bats', (row: Batting) => row.ab],
  ['R', 'Runs', (row: Batting) => row.r],
  ['H', 'Hits', (row: Batting) => row.h],
  ['RBI', 'Runs batted in', (row: Batting) => row.rbi],
  ['BB', 'Walks', (row: Batting) => row.bb],
  ['SO', 'Strikeouts', (row: Batting) => row.so],
] as const

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
      columns={BATTING}
      rows={rows}
      who={(row) => <Who athlete={game.athletes.get(row.athlete_id)} also={row.positions} />}
      total
    />
  )
}

const PITCHING = [
  ['IP', 'Innings pitched', (row: Pitching) => row.outs],
  ['H', 'Hits', (row: Pitching) => row.h],
  ['R', 'Runs', (row: Pitching) => row.r],
  ['ER', 'Earned runs', (row: Pitching) => row.er],
  ['BB', 'Walks', (row: Pitching) => row.bb],
  ['SO', 'Strikeouts', (row: Pitching) => row.so],
] as const

function PitchingTable({ game, side }: { game: Game; side: Side }) {
  const rows = game.pitchers.filter((row) => row.side === side)
  if (rows.length === 0) return null
  const decision = ({ w, l, sv }: Pitching) => (w ? 'W' : l ? 'L' : sv ? 'SV' : '')
  return (
    <Table
      name="Pitching"
      columns={PITCHING}
      rows={rows}
      who={(row) => <Who athlete={game.athletes.get(row.athlete_id)} also={decision(row)} />}
    />
  )
}

type Column<Row> = readonly [short: string, long: string, value: (row: Row) => number]
type TableProps<Row> = {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  who: (row: Row) => ReactNode
  total?: boolean
}

function Table<Row extends { athlete_id: string }>({ name, columns, rows, who, total = false }: TableProps<Row>) {
  const shown = (short: string, value: number) => (short === 'IP' ? innings(value) : String(value))
  const sum = (value: (row: Row) => number) => rows.reduce((sum, row) => sum + value(row), 0)
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={name}>
      <table className="w-full text-sm tabular-nums">
        <thead>
          <tr className="text-muted-foreground">
            <th scope="col" className="py-2 pr-2 text-left font-medium">
              {name}
            </th>
            {columns.map(([short, long]) => (
              <th key={short} scope="col" className="px-1.5 py-2 text-right font-medium">
                <abbr title={long} className="no-underline">
                  {short}
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.athlete_id} className="border-t border-border">
              <th scope="row" className="py-2 pr-2 text-left font-normal">
                {who(row)}
              </th>
              {columns.map(([short, , value]) => (
                <td key={short} className="px-1.5 py-2 text-right">
                  {shown(short, value(row))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {total && (
          <tfoot>
            <tr className="border-t-2 border-border font-semibold">
              <th scope="row" className="py-2 pr-2 text-left">
                Total
              </th>
              {columns.map(([short, , value]) => (
                <td key={short} className="px-1.5 py-2 text-right">
                  {shown(short, sum(value))}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
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
