import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { day, decimal, UNKNOWN } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Card } from '@/ui/section'
import { Switch } from '@/ui/switch'
import { DataTable, type Column } from '@/ui/table/data-table'
import { MeasurementActions } from '@/features/players/components/measurement-actions'
import { coachMeasurementFields, measurementFields, schemas, SOURCES, today, type Kind } from '@/features/players/model'
import { useAcceptCoachStats, useRecords } from '@/data/players/mutations'
import { kindsQuery, measurementsQuery, type Measurement } from '@/data/players/queries'

const COLUMNS: readonly Column<Measurement>[] = [
  { id: 'kind', header: 'What', value: (row) => row.measurement_kinds?.label ?? row.kind },
  {
    id: 'value',
    header: 'Value',
    numeric: true,
    value: (row) => row.value,
    group: (row) => row.measurement_kinds?.label ?? row.kind,
    format: (row) => `${decimal(row.value, row.measurement_kinds?.decimals ?? 1)} ${row.unit}`,
  },
  { id: 'taken', header: 'When', value: (row) => row.taken_at, format: (row) => day(row.taken_at) },
  { id: 'source', header: 'Source', value: source },
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

/** The source of a number, and who entered it if it was not the player. */
function source({ source, author, created_by, player_id }: Measurement): string {
  const kind = SOURCES[source] ?? source
  return author && created_by !== player_id ? `${kind}, ${author.full_name}` : kind
}

function verification({ verified_at, verifier, verification_asked }: Measurement): string | null {
  if (verified_at) return verifier?.full_name ?? 'A coach'
  return verification_asked ? 'Asked' : null
}

/** What the viewer may do with the player's measurements. */
export type Standing = 'owner' | 'coach' | 'admin' | null

type MeasurementsProps = {
  player: { id: string; name: string; acceptsCoachStats: boolean }
  viewerId: string | undefined
  standing: Standing
}

/** All measurements of a player with their sources and verifiers. */
export function Measurements({ player, viewerId, standing }: MeasurementsProps) {
  const query = useQuery(measurementsQuery(player.id))
  const { data: kinds = [] } = useQuery(kindsQuery)
  const actions: Column<Measurement> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => <MeasurementActions row={row} viewerId={viewerId} standing={standing} />,
  }
  return (
    <Card
      title="Measurements"
      text="Each measurement, its source and who verified it."
      aside={
        standing === 'owner' ? (
          <AddOwn playerId={player.id} kinds={kinds} />
        ) : (
          standing === 'coach' && player.acceptsCoachStats && <AddAsCoach player={player} kinds={kinds} />
        )
      }
    >
      <DataTable
        name="Measurements"
        prefix="m."
        query={query}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.id}
        empty={standing === 'owner' ? 'Nothing is measured yet. Add your first number.' : 'Nothing is measured yet.'}
      />
      {standing === 'owner' && <AcceptCoachStats playerId={player.id} accepts={player.acceptsCoachStats} />}
      {standing === 'coach' && !player.acceptsCoachStats && (
        <p className="text-sm text-muted-foreground">{player.name} does not take measurements from coaches.</p>
      )}
    </Card>
  )
}

function AddOwn({ playerId, kinds }: { playerId: string; kinds: readonly Kind[] }) {
  const { addMeasurement } = useRecords(playerId)
  return (
    <RecordDialog
      trigger={<AddButton>Add measurement</AddButton>}
      title="Add a measurement"
      text="Shown as self-reported until a coach verifies it"
      fields={measurementFields(kinds)}
      schema={async () => (await schemas()).measurementSchema(kinds)}
      defaults={{ kind: '', value: '', taken_at: today(), source: 'self', verification_asked: 'true', event: '' }}
      draft={`measurement:${playerId}`}
      location="Player Profile"
      onSave={addMeasurement}
    />
  )
}

function AddAsCoach({ player: { id, name }, kinds }: { player: { id: string; name: string }; kinds: readonly Kind[] }) {
  const { addCoachMeasurement } = useRecords(id)
  return (
    <RecordDialog
      trigger={<AddButton>Add measurement</AddButton>}
      title={`Add a measurement of ${name}`}
      text="You appear as the verifier"
      fields={coachMeasurementFields(kinds)}
      schema={async () => (await schemas()).coachMeasurementSchema(kinds)}
      defaults={{ kind: '', value: '', taken_at: today(), event: '' }}
      draft={`coach-measurement:${id}`}
      location="Player Profile"
      onSave={addCoachMeasurement}
    />
  )
}

function AddButton({ children, ...props }: { children: ReactNode }) {
  return (
    <Button variant="outline" className="print:hidden" {...props}>
      <Plus aria-hidden />
      {children}
    </Button>
  )
}

function AcceptCoachStats({ playerId, accepts }: { playerId: string; accepts: boolean }) {
  const accept = useAcceptCoachStats(playerId)
  return (
    <label className="flex items-center gap-3 text-sm print:hidden">
      <Switch checked={accepts} disabled={accept.isPending} onCheckedChange={(checked) => accept.mutate(checked)} />
      Coaches of my team may add measurements
    </label>
  )
}
