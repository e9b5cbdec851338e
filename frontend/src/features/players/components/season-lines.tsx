import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { useRecords, useRemoveRecord, type RemovableTable } from '@/data/players/mutations'
import { battingQuery, pitchingQuery } from '@/data/players/queries'
import {
  BATTING_COLUMNS,
  BATTING_FIELDS,
  battingTexts,
  newBattingLine,
  newPitchingLine,
  PITCHING_COLUMNS,
  PITCHING_FIELDS,
  seasonSchemas,
  pitchingTexts,
} from '@/features/players/season-lines'

type LinesProps = { playerId: string; editable: boolean }

/** Seasons at bat, as entered. */
export function Batting({ playerId, editable }: LinesProps) {
  const query = useQuery(battingQuery(playerId))
  const { addBatting, saveBatting } = useRecords(playerId)
  return (
    <Lines
      playerId={playerId}
      editable={editable}
      query={query}
      title="Batting"
      prefix="b."
      table="batting_lines"
      columns={BATTING_COLUMNS}
      add={
        <RecordDialog
          trigger={<AddButton />}
          title="Add a batting season"
          text="As the scorebook has it. Averages are worked out from these."
          fields={BATTING_FIELDS}
          schema={async () => (await seasonSchemas()).battingSchema}
          defaults={newBattingLine()}
          draft={`batting:${playerId}`}
          location="Player Profile"
          onSave={addBatting}
        />
      }
      edit={(line) => (
        <RecordDialog
          trigger={<EditButton name={`batting of ${line.season}`} />}
          title={`Edit the batting of ${line.season}`}
          text="As the scorebook has it. Averages are worked out from these."
          fields={BATTING_FIELDS}
          schema={async () => (await seasonSchemas()).battingSchema}
          defaults={battingTexts(line)}
          draft={`batting:${line.id}`}
          location="Player Profile"
          onSave={(values) => saveBatting(line.id, values)}
        />
      )}
    />
  )
}

/** Seasons on the mound, as entered. */
export function Pitching({ playerId, editable }: LinesProps) {
  const query = useQuery(pitchingQuery(playerId))
  const { addPitching, savePitching } = useRecords(playerId)
  return (
    <Lines
      playerId={playerId}
      editable={editable}
      query={query}
      title="Pitching"
      prefix="p."
      table="pitching_lines"
      columns={PITCHING_COLUMNS}
      add={
        <RecordDialog
          trigger={<AddButton />}
          title="Add a pitching season"
          text="As the scorebook has it. Earned run averages are for nine innings."
          fields={PITCHING_FIELDS}
          schema={async () => (await seasonSchemas()).pitchingSchema}
          defaults={newPitchingLine()}
          draft={`pitching:${playerId}`}
          location="Player Profile"
          onSave={addPitching}
        />
      }
      edit={(line) => (
        <RecordDialog
          trigger={<EditButton name={`pitching of ${line.season}`} />}
          title={`Edit the pitching of ${line.season}`}
          text="As the scorebook has it. Earned run averages are for nine innings."
          fields={PITCHING_FIELDS}
          schema={async () => (await seasonSchemas()).pitchingSchema}
          defaults={pitchingTexts(line)}
          draft={`pitching:${line.id}`}
          location="Player Profile"
          onSave={(values) => savePitching(line.id, values)}
        />
      )}
    />
  )
}

type Line = { id: string; season: number }

type TableProps<Row> = {
  playerId: string
  editable: boolean
  title: string
  prefix: string
  table: RemovableTable
  query: UseQueryResult<Row[]>
  columns: readonly Column<Row>[]
  add: ReactNode
  edit: (row: Row) => ReactNode
}

function Lines<Row extends Line>(props: TableProps<Row>) {
  const { playerId, editable, title, prefix, table, query, columns, add, edit } = props
  const remove = useRemoveRecord(playerId, table)
  const actions: Column<Row> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => (
      <span className="flex justify-end">
        {edit(row)}
        <RemovalDialog
          name={`${title.toLowerCase()} of ${row.season}`}
          text="The season's line is taken out of your profile."
          pending={remove.isPending}
          onRemove={() => remove.mutateAsync(row.id)}
        />
      </span>
    ),
  }
  // A pitcher who never bats, and the other way round, has no need of an empty table for others to see.
  if (!editable && query.data?.length === 0) return null
  return (
    <Card title={title} text="Entered by the player" aside={editable && add}>
      <DataTable
        name={`${title} by season`}
        prefix={prefix}
        query={query}
        columns={editable ? [...columns, actions] : columns}
        rowKey={(row) => row.id}
        empty="No season yet. Add the last one you played."
        searchable={false}
      />
    </Card>
  )
}

function AddButton(props: object) {
  return (
    <Button variant="outline" className="print:hidden" {...props}>
      <Plus aria-hidden />
      Add season
    </Button>
  )
}

function EditButton({ name, ...props }: { name: string }) {
  return (
    <Button variant="ghost" size="icon" aria-label={`Edit ${name}`} {...props}>
      <Pencil aria-hidden />
    </Button>
  )
}
