import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Empty, Problem } from '@/ui/section'
import { Grid, Pager, type Column } from '@/ui/table/grid'
import type { Filter } from '@/ui/table/model'
import { isNarrowed, NothingFound, Toolbar } from '@/ui/table/toolbar'
import type { TableView } from '@/ui/table/view'

/** One page of a list that the server keeps. */
export type Page<Row> = {
  rows: readonly Row[]
  /** How many there are on all pages. */
  total: number
  /** Which page it is, from 1: the last one where the one asked for is beyond it. */
  page: number
}

type PagedTableProps<Row> = TableView & {
  /** Names the table for screen readers, and its file. */
  name: string
  query: Pick<UseQueryResult<Page<Row>>, 'data' | 'error' | 'isPending' | 'isError' | 'isPlaceholderData' | 'refetch'>
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string | number
  empty: ReactNode
  filters: readonly Filter[]
  /** Every row of the view, for the file. */
  everyRow: () => Promise<readonly Row[]>
}

/** The table of the app for a list of any length: the server searches, sorts and hands out page by page. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { name, query, columns, rowKey, empty, filters, everyRow, view, change } = props
  const { rows, total, page } = query.data ?? { rows: [], total: 0, page: 1 }
  const nothing = query.data !== undefined && total === 0
  if (nothing && !isNarrowed(view)) return <Empty>{empty}</Empty>
  return (
    <div className="grid min-w-0 gap-3">
      <Toolbar
        name={name}
        columns={columns}
        filters={filters}
        searchable
        rows={everyRow}
        nothing={total === 0}
        view={view}
        change={change}
      />
      {query.isError && (
        <Problem text={`${name} could not be loaded.`} error={query.error} onRetry={() => void query.refetch()} />
      )}
      {(query.data ?? query.isPending) && (
        <Grid
          name={name}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          pending={query.isPending}
          busy={query.isPending || query.isPlaceholderData}
          view={view}
          change={change}
        />
      )}
      {total > 0 && <Pager name={name} page={page} total={total} onPage={(page) => change({ page })} />}
      {nothing && (
        <Empty>
          <NothingFound view={view} change={change} />
        </Empty>
      )}
    </div>
  )
}
