import { useQuery } from '@tanstack/react-query'
import { GraduationCap, Plus } from 'lucide-react'
import { day } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Row, Section } from '@/ui/section'
import { COMMITMENT_FIELDS, COMMITMENT_STATUS, schemas, today } from '@/features/players/model'
import { useRecords, useRemoveRecord } from '@/data/players/mutations'
import { commitmentsQuery } from '@/data/players/queries'

type Props = { playerId: string; editable: boolean }

/** Where the player goes next. */
export function Commitments({ playerId, editable }: Props) {
  const query = useQuery(commitmentsQuery(playerId))
  const { addCommitment } = useRecords(playerId)
  const remove = useRemoveRecord(playerId, 'commitments')
  return (
    <Section
      title="Commitments"
      text="Committed to"
      query={query}
      problem="The commitments could not be loaded."
      actions={
        editable && (
          <RecordDialog
            trigger={
              <Button variant="outline" className="print:hidden">
                <Plus aria-hidden />
                Add commitment
              </Button>
            }
            title="Add a commitment"
            text="Everybody who sees your profile sees it."
            fields={COMMITMENT_FIELDS}
            schema={async () => (await schemas()).commitmentSchema}
            defaults={{ program: '', status: 'committed', committed_on: today() }}
            draft={`commitment:${playerId}`}
            location="Player Profile"
            onSave={addCommitment}
          />
        )
      }
    >
      {(commitments) =>
        commitments.length === 0 ? (
          <Empty>Not committed yet.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {commitments.map(({ id, program, status, committed_on }) => (
              <Row
                key={id}
                icon={<GraduationCap aria-hidden />}
                name={program}
                facts={`${status in COMMITMENT_STATUS ? COMMITMENT_STATUS[status as keyof typeof COMMITMENT_STATUS] : status} · ${day(committed_on)}`}
              >
                {editable && (
                  <RemovalDialog
                    name={program}
                    text="It is taken out of your profile."
                    pending={remove.isPending}
                    onRemove={() => remove.mutateAsync(id)}
                  />
                )}
              </Row>
            ))}
          </ul>
        )
      }
    </Section>
  )
}
