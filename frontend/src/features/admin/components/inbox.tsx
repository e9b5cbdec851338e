import { useMutation, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { messageOf } from '@/lib/errors'
import { requiredText } from '@/lib/fields'
import { moment } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { toast } from '@/ui/toast/toast-state'
import { useAdministration } from '@/features/admin/mutations'
import { auditQuery, messagesQuery, reportsQuery } from '@/features/admin/queries'

type Report = {
  id: string
  subject_kind: string
  reason: string
  details: string | null
  status: string
  resolution: string | null
  created_at: string
}
type Message = {
  id: string
  name: string
  email: string
  subject: string
  message: string
  created_at: string
  handled_at: string | null
}
type Entry = { id: number; action: string; subject_id: string | null; reason: string | null; created_at: string }

const words = (text: string) => text.replaceAll('_', ' ')
const when = <Row extends { created_at: string }>(): Column<Row> => ({
  id: 'when',
  header: 'When',
  value: (row) => row.created_at,
  format: (row) => moment(row.created_at),
})

const REPORTS: readonly Column<Report>[] = [
  when(),
  { id: 'what', header: 'What', value: (row) => row.subject_kind },
  { id: 'reason', header: 'Why', value: (row) => words(row.reason) },
  { id: 'details', header: 'Details', value: (row) => row.details },
  { id: 'status', header: 'State', value: (row) => row.status },
]
const MESSAGES: readonly Column<Message>[] = [
  when(),
  { id: 'from', header: 'From', value: (row) => `${row.name} <${row.email}>` },
  { id: 'subject', header: 'Subject', value: (row) => row.subject },
  { id: 'message', header: 'Message', value: (row) => row.message },
  { id: 'state', header: 'State', value: (row) => (row.handled_at ? 'Done' : 'Open') },
]
const AUDIT: readonly Column<Entry>[] = [
  when(),
  { id: 'action', header: 'Action', value: (row) => words(row.action) },
  { id: 'reason', header: 'Why', value: (row) => row.reason },
  { id: 'subject', header: 'Of', value: (row) => row.subject_id },
]

const handlingSchema = z.object({
  status: z.enum(['resolved', 'dismissed']),
  resolution: requiredText(1000, 'Please say what was done.'),
})

/** What people reported, what they wrote, and what was done. */
export function Inbox() {
  const { handleReport, handleMessage } = useAdministration()
  const done = useMutation({
    mutationFn: handleMessage,
    onError: (error) =>
      toast({ title: 'Not done', description: messageOf(error, 'Please try again.'), variant: 'error' }),
  })
  const reportActions: Column<Report> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: ({ id, status }) =>
      status === 'open' && (
        <RecordDialog
          trigger={
            <Button variant="outline" size="sm">
              Handle
            </Button>
          }
          title="Handle the report"
          text="Whoever reported it sees what you write."
          fields={[
            {
              name: 'status',
              label: 'Outcome',
              options: [
                ['resolved', 'Resolved'],
                ['dismissed', 'Dismissed'],
              ],
              wide: true,
            },
            { name: 'resolution', label: 'What was done', type: 'textarea' },
          ]}
          schema={handlingSchema}
          defaults={{ status: 'resolved', resolution: '' }}
          draft={`report:${id}`}
          location="Admin"
          onSave={(values) => handleReport(id, values.status, values.resolution)}
        />
      ),
  }
  const messageActions: Column<Message> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: ({ id, handled_at }) =>
      !handled_at && (
        <Button variant="outline" size="sm" disabled={done.isPending} onClick={() => done.mutate(id)}>
          Done
        </Button>
      ),
  }
  return (
    <div className="grid gap-6">
      <Card title="Reports" text="What users found wrong.">
        <DataTable
          name="Reports"
          prefix="r."
          query={useQuery(reportsQuery)}
          columns={[...REPORTS, reportActions]}
          rowKey={(row) => row.id}
          empty="Nobody has reported anything."
        />
      </Card>
      <Card title="Messages" text="From the contact page.">
        <DataTable
          name="Messages"
          prefix="m."
          query={useQuery(messagesQuery)}
          columns={[...MESSAGES, messageActions]}
          rowKey={(row) => row.id}
          empty="Nobody has written yet."
        />
      </Card>
      <Card title="Audit log" text="Who did what, written by the database itself.">
        <DataTable
          name="Audit log"
          prefix="a."
          query={useQuery(auditQuery)}
          columns={AUDIT}
          rowKey={(row) => row.id}
          empty="Nothing has been done yet."
        />
      </Card>
    </div>
  )
}
