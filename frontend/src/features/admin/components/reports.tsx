import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { count, day, moment } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import type { Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { PagedTable } from '@/ui/table/paged-table'
import { useTableView } from '@/ui/table/view'
import { profileAddress, userAddress } from '@/features/admin/addresses'
import { ReportedFile } from '@/features/admin/components/reported-file'
import { reportedThingQuery, reportsList, type ReportGroup } from '@/data/admin/lists'
import { labelOf, reasonWords, REPORT_REASONS, REPORT_STATES, schemas, words } from '@/features/admin/model'
import { useAdministration } from '@/data/admin/mutations'

const LINK = 'font-medium text-primary underline underline-offset-4'

const COLUMNS: readonly Column<ReportGroup>[] = [
  {
    id: 'when',
    header: 'When',
    value: (row) => row.created_at,
    cell: (row) => <span className="whitespace-nowrap">{moment(row.created_at)}</span>,
  },
  {
    id: 'what',
    header: 'What',
    value: (row) => [row.subject_kind, row.subject_name].filter(Boolean).join(' of '),
    cell: (row) => <Subject group={row} />,
  },
  { id: 'why', header: 'Why', value: reasonWords },
  {
    id: 'details',
    header: 'Reported by',
    sortable: false,
    value: (row) => row.latest.map(({ reporter_name, details }) => `${reporter_name ?? ''}: ${details}`).join(' | '),
    cell: (row) => <Reporters group={row} />,
  },
  {
    id: 'state',
    header: 'State',
    value: (row) => labelOf(REPORT_STATES, row.status),
    cell: (row) => <State group={row} />,
  },
  { id: 'actions', header: '', value: () => null, cell: (row) => <Handling group={row} /> },
]

const FILTERS: readonly Filter[] = [
  { id: 'status', label: 'State', options: REPORT_STATES, initial: 'open' },
  { id: 'reason', label: 'Why', options: REPORT_REASONS },
]

/** What users reported: the open reports first to be seen, those of one thing as one row. */
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
function Subject({ group: { subject_kind, subject_id, subject_user_id, subject_name } }: { group: ReportGroup }) {
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
          of <Person id={subject_user_id} name={subject_name} />
        </span>
      )}
    </span>
  )
}

/** Who reported it, and what they wrote. */
function Reporters({ group: { latest, reports } }: { group: ReportGroup }) {
  return (
    <ul className="grid gap-1.5">
      {latest.map(({ id, reporter_id, reporter_name, details }) => (
        <li key={id} className="wrap-anywhere">
          <Person id={reporter_id} name={reporter_name} />
          {details && <>: {details}</>}
        </li>
      ))}
      {reports > latest.length && (
        <li className="text-muted-foreground">and {count(reports - latest.length)} earlier</li>
      )}
    </ul>
  )
}

function Person({ id, name }: { id: string | null; name: string | null }) {
  if (!id) return 'Somebody who has left'
  return (
    <Link to={userAddress(id)} className={LINK}>
      {name || 'Unnamed'}
    </Link>
  )
}

function State({ group: { status, latest } }: { group: ReportGroup }) {
  // Reports that were answered together have one answer.
  const answers = new Map(latest.map((report) => [report.resolution, report]))
  return (
    <span className="grid gap-0.5">
      <span>{labelOf(REPORT_STATES, status)}</span>
      {[...answers.values()].map(
        ({ id, resolution, handler_name, handled_at }) =>
          resolution && (
            <span key={id} className="text-muted-foreground">
              “{resolution}” {handler_name}, {day(handled_at)}
            </span>
          ),
      )}
    </span>
  )
}

function Handling({ group }: { group: ReportGroup }) {
  const { id, status, subject_kind, subject_id, subject_name, reports, report_ids, latest } = group
  const { handleReports } = useAdministration()
  const thing = useQuery(reportedThingQuery(subject_kind, subject_id))
  const what = [words(subject_kind), subject_name].filter(Boolean).join(' of ')
  const details = reports === 1 && latest[0]?.details
  return (
    <span className="flex flex-wrap gap-2">
      {thing.data?.state && subject_id && (
        <Moderation kind={subject_kind} id={subject_id} what={what} state={thing.data.state} />
      )}
      <RecordDialog
        trigger={
          <Button
            variant="outline"
            size="sm"
            aria-label={`Handle the ${reports === 1 ? 'report' : `${count(reports)} reports`} on ${what}`}
          >
            Handle
          </Button>
        }
        title={reports === 1 ? `Report on ${what}` : `${count(reports)} reports on ${what}`}
        text={
          reports === 1
            ? `${details ? `“${details}” ` : ''}The person who reported it can read what you write.`
            : 'This answers all of them. Everyone who reported it can read what you write.'
        }
        fields={[
          { name: 'status', label: 'Outcome', options: REPORT_STATES, wide: true },
          { name: 'resolution', label: 'What was found and done', type: 'textarea' },
        ]}
        schema={async () => (await schemas()).reportSchema}
        defaults={{ status: status === 'open' ? 'resolved' : status, resolution: '' }}
        draft={`report:${id}`}
        location="Admin"
        onSave={(values) => handleReports(report_ids, values.status, values.resolution)}
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
