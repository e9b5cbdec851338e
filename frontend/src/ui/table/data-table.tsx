import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Empty, Problem } from '@/ui/section'
import { Grid, Pager, type Column as GridColumn } from '@/ui/table/grid'
import { PAGE_SIZE, pagesOf, selectRows, type Filter } from '@/ui/table/model'
import { NothingFound, Toolbar } from '@/ui/table/toolbar'
import { useTableView } from '@/ui/table/view'

export type Column<Row> = GridColumn<Row>

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
  filters?: readonly Filter[]
}

const NO_FILTERS: readonly Filter[] = []

/**
 * The table of the app, for a list that the page has as a whole: search, order, filters and page live in the address.
 * What may be longer than one answer of the API is `PagedTable`'s.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { name, query, columns, rowKey, empty, prefix = '', searchable = true, filters = NO_FILTERS } = props
  const { view, change } = useTableView(prefix, filters)
  const problem = query.isError && (
    <Problem text={`${name} could not be loaded.`} error={query.error} onRetry={() => void query.refetch()} />
  )
  // What was loaded before stays, under what went wrong since.
  if (problem && !query.data) return problem
  const all = query.data ?? []
  if (!query.isPending && all.length === 0) return <Empty>{empty}</Empty>
  const rows = selectRows(all, columns, view)
  const page = Math.min(view.page, pagesOf(rows.length))
  return (
    <div className="grid min-w-0 gap-3">
      {problem}
      <Toolbar
        name={name}
        columns={columns}
        filters={filters}
        searchable={searchable}
        rows={() => rows}
        nothing={rows.length === 0}
        view={view}
        change={change}
      />
      <Grid
        name={name}
        columns={columns}
        rows={rows.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE)}
        rowKey={rowKey}
        pending={query.isPending}
        view={view}
        change={change}
      />
      {rows.length > PAGE_SIZE && (
        <Pager name={name} page={page} total={rows.length} onPage={(page) => change({ page })} />
      )}
      {all.length > 0 && rows.length === 0 && (
        <Empty>
          <NothingFound view={view} change={change} />
        </Empty>
      )}
    </div>
  )
}
