import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { scorebookQuery, type LoggedGame, type Scorebook } from '@/data/players/scorebook'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Card, Empty, Loading, Problem, RowsSkeleton } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { battingRow, battingWords, pitchingRow, pitchingWords, resultOf } from '@/features/players/scorebook'
import { BATTING_COLUMNS, PITCHING_COLUMNS } from '@/features/players/season-lines'

type ScorebookProps = {
  playerId: string
  own: boolean
  /** Beside the last games, where there is room; it may draw nothing. */
  spray: ReactNode
}

/** The seasons and last games that scorebooks have of a player. */
export function ScorebookOf({ playerId, own, spray }: ScorebookProps) {
  const query = useQuery(scorebookQuery(playerId))
  if (query.isPending) {
    return (
      <Card title="Scorebook seasons">
        <Loading>
          <RowsSkeleton rows={4} />
        </Loading>
      </Card>
    )
  }
  if (query.isError) {
    return (
      <Card title="Scorebook seasons">
        <Problem text="The scorebook could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  }
  const { batting, pitching, games } = query.data
  if (games.length + batting.length + pitching.length === 0) {
    return (
      <Card title="Scorebook seasons">
        <Empty>
          {own
            ? 'No scored game yet. Public games that your coach scores and finishes are added up here.'
            : 'No public scored game yet'}
        </Empty>
      </Card>
    )
  }
  return (
    <>
      {batting.length + pitching.length > 0 && <Seasons book={query.data} />}
      {games.length > 0 && (
        <div className="grid items-start gap-6 lg:grid-cols-[repeat(auto-fit,minmax(26rem,1fr))]">
          <GameLog games={games} />
          {spray}
        </div>
      )}
    </>
  )
}

type Side = 'batting' | 'pitching'

function Seasons({ book: { batting, pitching } }: { book: Scorebook }) {
  const [chosen, setChosen] = useState<Side | null>(null)
  // First what the player did more of in the newest season.
  const outs = pitching[0]?.outs ?? 0
  const first: Side = batting.length > 0 && (batting[0]?.pa ?? 0) >= outs ? 'batting' : 'pitching'
  const side = chosen ?? (pitching.length === 0 ? 'batting' : batting.length === 0 ? 'pitching' : first)
  const both = batting.length > 0 && pitching.length > 0
  return (
    <Card
      title="Scorebook seasons"
      text={side === 'batting' ? 'Batting in public final games' : 'Pitching in public final games'}
      aside={both && <SideChoice side={side} onChange={setChosen} />}
    >
      {side === 'batting' ? (
        <Table name="Scorebook batting" prefix="sb." rows={batting.map(battingRow)} columns={BATTING_COLUMNS} />
      ) : (
        <Table name="Scorebook pitching" prefix="sp." rows={pitching.map(pitchingRow)} columns={PITCHING_COLUMNS} />
      )}
    </Card>
  )
}

const SIDES: readonly (readonly [Side, string])[] = [
  ['batting', 'Batting'],
  ['pitching', 'Pitching'],
]

function SideChoice({ side, onChange }: { side: Side; onChange: (side: Side) => void }) {
  return (
    <div role="group" aria-label="Shown" className="grid grid-cols-2 gap-1 rounded-xl bg-muted p-1 print:hidden">
      {SIDES.map(([one, name]) => (
        <Button
          key={one}
          size="sm"
          variant={one === side ? 'secondary' : 'ghost'}
          aria-pressed={one === side}
          onClick={() => onChange(one)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

type BookedRow = { season: number; name: string; team_id: string; team_name: string; vetted: boolean }
type TableProps<Row> = { name: string; prefix: string; rows: readonly Row[]; columns: readonly Column<Row>[] }

function Table<Row extends BookedRow>({ name, prefix, rows, columns }: TableProps<Row>) {
  return (
    <DataTable
      name={name}
      prefix={prefix}
      query={{ data: rows, error: null, isPending: false, isError: false, refetch: noRefetch }}
      columns={columns.map((column) => (column.id === 'team' ? { ...column, cell: TeamCell } : column))}
      rowKey={(row) => `${row.season} ${row.name} ${row.team_id}`}
      empty="No season yet"
      searchable={false}
    />
  )
}

/** The table never shows an error, so it never asks for this. */
const noRefetch = () => Promise.reject(new Error('The table has its rows from the page.'))

function TeamCell({ team_name, vetted }: BookedRow) {
  return (
    <span>
      {team_name}
      {!vetted && <span className="ml-2 text-xs whitespace-nowrap text-warning">Team not verified: not ranked</span>}
    </span>
  )
}

const FIRST_GAMES = 5

function GameLog({ games }: { games: readonly LoggedGame[] }) {
  const [all, setAll] = useState(false)
  const shown = all ? games : games.slice(0, FIRST_GAMES)
  return (
    <Card title="Last games" text="Public final games, the newest first">
      <ul className="-my-2 divide-y divide-border">
        {shown.map((game) => (
          <Game key={game.id} game={game} />
        ))}
      </ul>
      {games.length > FIRST_GAMES && (
        <Button
          variant="outline"
          size="sm"
          className="justify-self-start print:hidden"
          aria-expanded={all}
          onClick={() => setAll(!all)}
        >
          {all ? 'Show fewer' : `Show ${games.length} games`}
        </Button>
      )}
    </Card>
  )
}

function Game({ game }: { game: LoggedGame }) {
  const { id, played_on, home, opponent, batting, pitching } = game
  const result = resultOf(game)
  return (
    <li className="grid min-h-11 grid-cols-[4.5rem_minmax(0,1fr)_auto] items-center gap-x-3 py-1.5 text-sm sm:grid-cols-[4.5rem_minmax(0,14rem)_5rem_minmax(0,1fr)]">
      <time dateTime={played_on} className="text-muted-foreground tabular-nums">
        {shortDay(played_on)}
      </time>
      <Link
        to={paths.gameById.replace(':id', id)}
        className="font-medium wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
      >
        {home ? 'vs' : 'at'} {opponent}
      </Link>
      <span className={cn('font-display font-semibold tabular-nums', !result.startsWith('W') && 'font-medium')}>
        {result}
      </span>
      <span className="tabular-nums max-sm:col-span-2 max-sm:col-start-2">
        {[batting && battingWords(batting), pitching && pitchingWords(pitching)].filter(Boolean).join(' · ')}
      </span>
    </li>
  )
}
