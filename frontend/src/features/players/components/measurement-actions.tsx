import { day } from '@/lib/format'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { RemovalDialog } from '@/ui/removal-dialog'
import type { Standing } from '@/features/players/components/measurements'
import { useAskVerification, useRemoveRecord, useVerifyMeasurement } from '@/data/players/mutations'
import type { Measurement } from '@/data/players/queries'

type Props = { row: Measurement; viewerId: string | undefined; standing: Standing }

/** What can be done to one measurement: its player asks and removes, a coach answers, and removes what the coach entered. */
export function MeasurementActions({ row, viewerId, standing }: Props) {
  const remove = useRemoveRecord(row.player_id, 'measurements')
  const name = `${row.measurement_kinds?.label ?? row.kind} of ${day(row.taken_at)}`
  const isAuthor = row.source === 'coach' && row.created_by === viewerId
  return (
    <span className="flex items-center justify-end gap-1 print:hidden">
      {standing === 'owner' && <Asking row={row} name={name} />}
      {(standing === 'coach' || standing === 'admin') && <Verifying row={row} name={name} viewerId={viewerId} />}
      {(standing === 'owner' || isAuthor) && (
        <RemovalDialog
          name={name}
          text="It no longer counts for the percentiles."
          pending={remove.isPending}
          onRemove={() => remove.mutateAsync(row.id)}
        />
      )}
      {standing !== 'owner' && (
        <Report subjectKind="measurement" subjectId={row.id} subjectUserId={row.player_id} name={name} />
      )}
    </span>
  )
}

function Asking({ row, name }: { row: Measurement; name: string }) {
  const ask = useAskVerification(row.player_id)
  if (row.verified_at || !['self', 'device'].includes(row.source)) return null
  const asked = row.verification_asked
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={asked ? `Do not ask to verify ${name}` : `Ask to verify ${name}`}
      disabled={ask.isPending}
      onClick={() => ask.mutate({ measurementId: row.id, asked: !asked })}
    >
      {asked ? 'Do not ask' : 'Ask to verify'}
    </Button>
  )
}

function Verifying({ row, name, viewerId }: { row: Measurement; name: string; viewerId: string | undefined }) {
  const verify = useVerifyMeasurement(row.player_id)
  const takesBack = row.verified_at !== null && row.verified_by === viewerId && row.source !== 'coach'
  const verifies = row.verified_at === null && row.verification_asked
  if (!takesBack && !verifies) return null
  return (
    <Button
      variant="outline"
      size="sm"
      aria-label={verifies ? `Verify ${name}` : `Take back the verification of ${name}`}
      disabled={verify.isPending}
      onClick={() => verify.mutate({ measurement_id: row.id, verified: verifies })}
    >
      {verifies ? 'Verify' : 'Take back'}
    </Button>
  )
}
