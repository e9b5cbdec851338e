import type { UseQueryResult } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, ChevronsUpDown, Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { download } from '@/lib/download'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Input } from '@/ui/input'
import { Empty, Problem } from '@/ui/section'
import {
  cellText,
  nextSort,
  parseSort,
  searchRows,
  sortRows,
  sortText,
  toCsv,
  type Column as PlainColumn,
  type Sort,
} from '@/ui/table/model'

export type Column<Row> = PlainColumn<Row> & {
  /** Draws the cell where its text alone will not do. */
  cell?: (row: Row) => ReactNode
}

type DataTableProps<Row> = {
  /** Names the table for screen readers, and its file. */
  name: string
  query: Pick<UseQueryResult<readonly Row[]>, 'data' | 'error' | 'isPending' | 'isError' | 'refetch'>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  /** Said, with what to do, where there is nothing. */
  empty: ReactNode
  /** Keeps this table's search and order apart from another's in the address. */
  prefix?: string
  /** A few rows need no search. */
  searchable?: boolean
}

const SKELETON_ROWS = [0, 1, 2, 3, 4]

/** The one table of the app: order and search live in the address, so that a link shows what one sees. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, query, columns, rowKey, empty, prefix = '', searchable = true } = props
  const [parameters, setParameters] = useSearchParams()
  const search = parameters.get(`${prefix}q`) ?? ''
  const sort = parseSort(parameters.get(`${prefix}sort`))

  function change(key: string, value: string) {
    setParameters(
      (now) => {
        if (value) now.set(prefix + key, value)
        else now.delete(prefix + key)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  }

  if (query.isError) {
    return <Problem text={`${name} could not be loaded.`} error={query.error} onRetry={() => void query.refetch()} />
  }
  const all = query.data ?? []
  if (!query.isPending && all.length === 0) return <Empty>{empty}</Empty>
  const rows = sortRows(searchRows(all, columns, search), columns, sort)
  return (
    <div className="grid min-w-0 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
        {searchable && (
          <Input
            type="search"
            aria-label={`Search ${name}`}
            placeholder="Search…"
            value={search}
            onChange={(event) => change('q', event.target.value)}
            className="h-10 max-w-64"
          />
        )}
        <Button
          variant="outline"
          size="sm"
          disabled={rows.length === 0}
          onClick={() => download(`${name.toLowerCase().replaceAll(' ', '-')}.csv`, toCsv(rows, columns), 'text/csv')}
        >
          <Download aria-hidden />
          CSV
        </Button>
      </div>
      {/* The area scrolls by itself, so it can be reached by keyboard. */}
      <div
        role="region"
        aria-label={`${name}, table`}
        tabIndex={0}
        className="relative max-h-[36rem] overflow-auto rounded-xl border border-border print:max-h-none"
      >
        <table className="w-full border-collapse text-sm" aria-busy={query.isPending}>
          <caption className="sr-only">{name}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <Header
                  key={column.id}
                  column={column}
                  sort={sort}
                  onSort={() => change('sort', sortText(nextSort(sort, column)))}
                />
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {query.isPending && SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns.length} />)}
            {rows.map((row) => (
              <tr key={rowKey(row)} className="hover:bg-muted/60">
                {columns.map((column) => (
                  <td
                    key={column.id}
                    className={cn('px-3 py-2.5', column.numeric && 'text-right whitespace-nowrap tabular-nums')}
                  >
                    {column.cell ? column.cell(row) : cellText(column, row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {all.length > 0 && rows.length === 0 && (
        <Empty>
          None of the {all.length} rows has “{search}” in it.{' '}
          <Button variant="link" className="h-auto p-0" onClick={() => change('q', '')}>
            Show all
          </Button>
        </Empty>
      )}
    </div>
  )
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sort | null; onSort: () => void }

function Header<Row>({ column: { id, header, numeric }, sort, onSort }: HeaderProps<Row>) {
  // What is done to a row is nothing to sort by.
  if (!header) {
    return (
      <th scope="col" className="sticky top-0 z-10 bg-muted p-0">
        <span className="sr-only">Actions</span>
      </th>
    )
  }
  const sorted = sort?.column === id ? (sort.descending ? 'descending' : 'ascending') : undefined
  const Icon = sorted ? (sorted === 'descending' ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <th scope="col" aria-sort={sorted} className="sticky top-0 z-10 bg-muted p-0 font-medium">
      <button
        type="button"
        onClick={onSort}
        className={cn(
          'flex w-full items-center gap-1 px-3 py-2.5 whitespace-nowrap hover:text-primary',
          numeric && 'flex-row-reverse',
        )}
      >
        {header}
        <Icon aria-hidden className={cn('size-3.5 shrink-0 print:hidden', !sorted && 'opacity-40')} />
      </button>
    </th>
  )
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <tr>
      {Array.from({ length: columns }, (_, column) => (
        <td key={column} className="px-3 py-3">
          <span className="block h-4 animate-pulse rounded bg-muted" />
        </td>
      ))}
    </tr>
  )
}
