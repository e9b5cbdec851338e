import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Plus } from 'lucide-react'
import { day, decimal, UNKNOWN } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { measurementFields, measurementSchema, SOURCES, today } from '@/features/players/model'
import { useRecords, useRemoveRecord, useVerifyMeasurement } from '@/features/players/mutations'
import { kindsQuery, measurementsQuery } from '@/features/players/queries'

type Row = {
  id: string
  kind: string
  value: number
  unit: string
  source: string
  event: string | null
  taken_at: string
  verified_at: string | null
  verification_asked: boolean
  verifier: string | null
  measurement_kinds: { label: string; decimals: number } | null
}

const COLUMNS: readonly Column<Row>[] = [
  { id: 'kind', header: 'What', value: (row) => row.measurement_kinds?.label ?? row.kind },
  {
    id: 'value',
    header: 'Value',
    numeric: true,
    value: (row) => row.value,
    format: (row) => `${decimal(row.value, row.measurement_kinds?.decimals ?? 1)} ${row.unit}`,
  },
  { id: 'taken', header: 'When', value: (row) => row.taken_at, format: (row) => day(row.taken_at) },
  { id: 'source', header: 'Source', value: (row) => SOURCES[row.source] ?? row.source },
  {
    id: 'verified',
    header: 'Verified by',
    value: verification,
    cell: (row) => (
      <span className="flex items-center gap-1.5">
        {row.verified_at && <BadgeCheck aria-hidden className="size-4 shrink-0 text-success" />}
        {verification(row) ?? UNKNOWN}
      </span>
    ),
  },
  { id: 'event', header: 'Where', value: (row) => row.event },
]

function verification({ verified_at, verifier, verification_asked }: Row): string | null {
  if (verified_at) return verifier ?? 'A coach'
  return verification_asked ? 'Asked' : null
}

type MeasurementsProps = { playerId: string; editable: boolean; canVerify: boolean }

/** Everything measured of a player, each with its source and whoever verified it. */
export function Measurements({ playerId, editable, canVerify }: MeasurementsProps) {
  const query = useQuery(measurementsQuery(playerId))
  const { data: kinds = [] } = useQuery(kindsQuery)
  const { addMeasurement } = useRecords(playerId)
  const remove = useRemoveRecord(playerId, 'measurements')
  const verify = useVerifyMeasurement(playerId)
  const actions: Column<Row> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => (
      <span className="flex justify-end gap-1 print:hidden">
        {canVerify && !row.verified_at && (
          <Button variant="outline" size="sm" disabled={verify.isPending} onClick={() => verify.mutate(row.id)}>
            Verify
          </Button>
        )}
        {editable && (
          <RemovalDialog
            name={`${row.measurement_kinds?.label ?? row.kind} of ${day(row.taken_at)}`}
            text="It no longer counts for your percentiles."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(row.id)}
          />
        )}
      </span>
    ),
  }
  return (
    <Card
      title="Measurements"
      text="What was measured, by whom, and who stands behind it."
      aside={
        editable && (
          <RecordDialog
            trigger={
              <Button variant="outline" className="print:hidden">
                <Plus aria-hidden />
                Add measurement
              </Button>
            }
            title="Add a measurement"
            text="Your coach can verify it; until then it stands as you say."
            fields={measurementFields(kinds)}
            schema={measurementSchema(kinds)}
            defaults={{ kind: '', value: '', taken_at: today(), source: 'self', verification_asked: 'true', event: '' }}
            draft={`measurement:${playerId}`}
            location="Player Profile"
            onSave={addMeasurement}
          />
        )
      }
    >
      <DataTable
        name="Measurements"
        prefix="m."
        query={query}
        columns={editable || canVerify ? [...COLUMNS, actions] : COLUMNS}
        rowKey={(row) => row.id}
        empty={editable ? 'Nothing is measured yet. Add your first number.' : 'Nothing is measured yet.'}
      />
    </Card>
  )
}
