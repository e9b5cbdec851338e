import { useQuery } from '@tanstack/react-query'
import { moment } from '@/lib/format'
import type { Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { PagedTable } from '@/ui/table/paged-table'
import { useTableView } from '@/ui/table/view'
import { Sentence } from '@/features/admin/components/sentence'
import { auditList } from '@/data/admin/lists'
import { ACTION_OPTIONS, actorOf, sentenceOf, textOf, type AuditLine } from '@/features/admin/model'

type Entry = AuditLine & { id: number; created_at: string; reason: string | null }

const COLUMNS: readonly Column<Entry>[] = [
  {
    id: 'when',
    header: 'When',
    value: (row) => row.created_at,
    cell: (row) => <span className="whitespace-nowrap">{moment(row.created_at)}</span>,
  },
  { id: 'what', header: 'What', sortable: false, value: textOf, cell: (row) => <Sentence line={row} /> },
  { id: 'why', header: 'Why', value: (row) => row.reason },
]

/** The filters that links set carry the person's name once a line with it is there. */
function filtersFor(line: Entry | undefined, { actor, subject }: Readonly<Record<string, string>>): Filter[] {
  return [
    { id: 'action', label: 'Action', options: ACTION_OPTIONS },
    { id: 'actor', label: 'By', options: line && actor ? [[actor, `By ${actorOf(line)}`]] : [] },
    { id: 'subject', label: 'About', options: line && subject ? [[subject, `About ${sentenceOf(line).subject}`]] : [] },
  ]
}

const FILTERS = filtersFor(undefined, {})

/** Who did what to whom, and why. */
export function Audit() {
  const table = useTableView('a.', FILTERS)
  const query = useQuery(auditList.page(table.view))
  return (
    <PagedTable
      name="Audit log"
      query={query}
      columns={COLUMNS}
      rowKey={(row) => row.id}
      empty="Nothing has been done yet."
      filters={filtersFor(query.isPlaceholderData ? undefined : query.data?.rows[0], table.view.filters)}
      everyRow={() => auditList.everyRow(table.view)}
      view={table.view}
      change={table.change}
    />
  )
}
