import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { day, moment } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import type { Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { PagedTable } from '@/ui/table/paged-table'
import { useTableView } from '@/ui/table/view'
import { profileAddress, userAddress } from '@/features/admin/addresses'
import { ReportedFile } from '@/features/admin/components/reported-file'
import { reportedThingQuery, reportsList } from '@/data/admin/lists'
import { labelOf, REPORT_REASONS, REPORT_STATES, schemas, words } from '@/features/admin/model'
import { useAdministration } from '@/data/admin/mutations'

type Report = {
  id: string
  created_at: string
  subject_kind: string
  subject_id: string | null
  subject_user_id: string | null
  reason: string
  details: string
  status: string
  resolution: string | null
  handled_at: string | null
  reporter_id: string | null
  reporter: { full_name: string } | null
  subject: { full_name: string } | null
  handler: { full_name: string } | null
}

const LINK = 'font-medium text-primary underline underline-offset-4'

const COLUMNS: readonly Column<Report>[] = [
  {
    id: 'when',
    header: 'When',
    value: (row) => row.created_at,
    cell: (row) => <span className="whitespace-nowrap">{moment(row.created_at)}</span>,
  },
  {
    id: 'what',
    header: 'What',
    value: (row) => [row.subject_kind, row.subject?.full_name].filter(Boolean).join(' of '),
    cell: (row) => <Subject report={row} />,
  },
  { id: 'why', header: 'Why', value: (row) => labelOf(REPORT_REASONS, row.reason) },
  { id: 'details', header: 'Details', sortable: false, value: (row) => row.details },
  {
    id: 'by',
    header: 'By',
    sortable: false,
    value: (row) => row.reporter?.full_name,
    cell: (row) => <Person id={row.reporter_id} name={row.reporter?.full_name} />,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) => labelOf(REPORT_STATES, row.status),
    cell: (row) => <State report={row} />,
  },
  { id: 'actions', header: '', value: () => null, cell: (row) => <Handling report={row} /> },
]

const FILTERS: readonly Filter[] = [
  { id: 'status', label: 'State', options: REPORT_STATES },
  { id: 'reason', label: 'Why', options: REPORT_REASONS },
]

/** What users found wrong. */
export function Reports() {
  const table = useTableView('r.', FILTERS)
  return (
    <PagedTable
      name="Reports"
      query={useQuery(reportsList.page(table.view))}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      empty="Nobody has reported anything."
      filters={FILTERS}
      everyRow={() => reportsList.everyRow(table.view)}
      view={table.view}
      change={table.change}
    />
  )
}

/** What is reported, and whose it is: each leads there. */
function Subject({ report: { subject_kind, subject_id, subject_user_id, subject } }: { report: Report }) {
  const thing = useQuery(reportedThingQuery(subject_kind, subject_id))
  return (
    <span className="grid gap-0.5">
      {thing.data?.url ? (
        <a href={thing.data.url} target="_blank" rel="noreferrer" className={LINK}>
          {thing.data.title}
        </a>
      ) : subject_user_id && subject_kind !== 'other' ? (
        <Link to={profileAddress(subject_user_id)} className={LINK}>
          {thing.data?.title ?? words(subject_kind)}
        </Link>
      ) : (
        <span>{words(subject_kind)}</span>
      )}
      {thing.data?.media && <ReportedFile media={thing.data.media} />}
      {thing.data === null && <span className="text-muted-foreground">It is not there any more.</span>}
      {subject_user_id && (
        <span>
          of <Person id={subject_user_id} name={subject?.full_name} />
        </span>
      )}
    </span>
  )
}

function Person({ id, name }: { id: string | null; name: string | undefined }) {
  if (!id) return 'Somebody who has left'
  return (
    <Link to={userAddress(id)} className={LINK}>
      {name || 'Unnamed'}
    </Link>
  )
}

function State({ report: { status, resolution, handled_at, handler } }: { report: Report }) {
  return (
    <span className="grid gap-0.5">
      <span>{labelOf(REPORT_STATES, status)}</span>
      {resolution && (
        <span className="text-muted-foreground">
          “{resolution}” {handler?.full_name}, {day(handled_at)}
        </span>
      )}
    </span>
  )
}

function Handling({ report }: { report: Report }) {
  const { id, status, subject_kind, subject_id, subject, details } = report
  const { handleReport } = useAdministration()
  const thing = useQuery(reportedThingQuery(subject_kind, subject_id))
  const what = [words(subject_kind), subject?.full_name].filter(Boolean).join(' of ')
  return (
    <span className="flex flex-wrap gap-2">
      {thing.data?.state && subject_id && (
        <Moderation kind={subject_kind} id={subject_id} what={what} state={thing.data.state} />
      )}
      <RecordDialog
        trigger={
          <Button variant="outline" size="sm" aria-label={`Handle the report on ${what}`}>
            Handle
          </Button>
        }
        title={`Report on ${what}`}
        text={`${details ? `“${details}” ` : ''}The person who reported it can read what you write.`}
        fields={[
          { name: 'status', label: 'Outcome', options: REPORT_STATES, wide: true },
          { name: 'resolution', label: 'What was found and done', type: 'textarea' },
        ]}
        schema={async () => (await schemas()).reportSchema}
        defaults={{ status: status === 'open' ? 'resolved' : status, resolution: '' }}
        draft={`report:${id}`}
        location="Admin"
        onSave={(values) => handleReport(id, values.status, values.resolution)}
      />
    </span>
  )
}

/** Removes a reported post, comment or article, or shows it again; that answers all reports on it. */
function Moderation({ kind, id, what, state }: { kind: string; id: string; what: string; state: string }) {
  const { moderate } = useAdministration()
  const actions = state === 'shown' ? [REMOVE] : state === 'held' ? [REMOVE, SHOW] : [SHOW]
  return actions.map(({ removed, word, text }) => (
    <RecordDialog
      key={word}
      trigger={
        <Button variant="outline" size="sm" aria-label={`${word} the ${what}`}>
          {word}
        </Button>
      }
      title={`${word} the ${what}?`}
      text={text}
      fields={[{ name: 'reason', label: 'Reason', type: 'textarea' }]}
      schema={async () => (await schemas()).reasonSchema}
      defaults={{ reason: '' }}
      draft={`moderate:${id}:${word}`}
      location="Admin"
      submit={word}
      onSave={({ reason }) => moderate(kind, id, removed, reason)}
    />
  ))
}

const REMOVE = { removed: true, word: 'Remove', text: 'Nobody sees it any more. Its author reads the reason.' }
const SHOW = {
  removed: false,
  word: 'Show',
  text: 'Everybody for whom it was written sees it. The reporters read the reason.',
}
