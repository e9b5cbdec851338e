import { UserRound } from 'lucide-react'
import { rate } from '@/lib/format'
import { Button } from '@/ui/button'
import { BelowTheFold } from '@/ui/below-the-fold'
import { ConnectionLost } from '@/ui/load-boundary'
import { Card, Empty, Loading, PageHeader, Problem, Row, RowsSkeleton } from '@/ui/section'
import { PageSpinner, Spinner } from '@/ui/spinner'
import { DataTable, type Column } from '@/ui/table/data-table'
import { Shown, State } from '@/design/shown'

type Line = { name: string; avg: number | null; pa: number }

const LINES: readonly Line[] = [
  { name: 'Mateo Whitaker', avg: 0.342, pa: 120 },
  { name: 'Liam Abernathy', avg: null, pa: 0 },
  { name: 'Caleb Thornton', avg: 0.281, pa: 96 },
]
const COLUMNS: readonly Column<Line>[] = [
  { id: 'name', header: 'Player', value: ({ name }) => name },
  { id: 'avg', header: 'AVG', value: ({ avg }) => avg, format: ({ avg }) => rate(avg), numeric: true },
  { id: 'pa', header: 'PA', value: ({ pa }) => pa, numeric: true },
]
const again = () => undefined
const refetch = () => Promise.reject(new Error('There is no server here.'))
const LOST = new Error('The server cannot be reached.')

/** Lists and cards: full, empty, loading, failed. */
export function Lists() {
  return (
    <>
      <Shown name="Page header">
        <PageHeader title="Leaderboard" text="Measurements and seasons">
          <Button variant="outline">Share</Button>
        </PageHeader>
      </Shown>
      <Shown name="Card and row">
        <Card title="Team" text="Who plays here" aside={<Button variant="outline">Invite</Button>}>
          <ul className="divide-y divide-border">
            <Row icon={<UserRound aria-hidden />} name="Mateo Whitaker" facts="SS · 2027">
              <Button variant="outline" size="sm">
                Open
              </Button>
            </Row>
            <Row icon={<UserRound aria-hidden />} name="Liam Abernathy" facts="P · 2028" below="Asked a day ago">
              {null}
            </Row>
          </ul>
        </Card>
      </Shown>
      <Shown name="Empty, loading, failed">
        <Card title="Empty">
          <Empty>Nothing yet.</Empty>
        </Card>
        <Card title="Loading">
          <Loading>
            <RowsSkeleton rows={2} />
          </Loading>
        </Card>
        <Card title="Failed">
          <Problem text="The list could not be loaded." error={LOST} onRetry={again} />
        </Card>
        <Card title="Connection lost">
          <ConnectionLost onRetry={again} />
        </Card>
      </Shown>
      <Shown name="Spinner">
        <State name="in a line, of a page">
          <Spinner className="size-5" />
          <div className="h-40 overflow-clip">
            <PageSpinner />
          </div>
        </State>
      </Shown>
      <Tables />
      <Shown name="Below the fold">
        <BelowTheFold>
          <p>Drawn when the page comes near it.</p>
        </BelowTheFold>
      </Shown>
    </>
  )
}

function Tables() {
  const states = {
    full: { data: LINES, error: null, isPending: false, isError: false, refetch },
    empty: { data: [], error: null, isPending: false, isError: false, refetch },
    loading: { data: undefined, error: null, isPending: true, isError: false, refetch },
    failed: { data: undefined, error: LOST, isPending: false, isError: true, refetch },
  }
  return (
    <Shown name="Table">
      {Object.entries(states).map(([name, query]) => (
        <State key={name} name={name}>
          <div className="w-full min-w-0">
            <DataTable
              name={`Batting, ${name}`}
              prefix={`${name}-`}
              query={query}
              columns={COLUMNS}
              rowKey={({ name }) => name}
              empty="No line yet."
            />
          </div>
        </State>
      ))}
    </Shown>
  )
}
