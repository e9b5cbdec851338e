import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { cellText, nextSort, pagesOf, span, type Column as PlainColumn, type Sort } from '@/ui/table/model'
import type { TableView } from '@/ui/table/view'

export type Column<Row> = PlainColumn<Row> & {
  /** Draws the cell where its text alone will not do. */
  cell?: (row: Row) => ReactNode
}

const SKELETON_ROWS = [0, 1, 2, 3, 4]

type GridProps<Row> = TableView & {
  name: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string | number
  /** Before there are rows, grey bars stand for them. */
  pending: boolean
  /** Whether other rows are on their way. */
  busy?: boolean
}

/** The table itself: its header stays in sight and sorts. */
export function Grid<Row>({ name, columns, rows, rowKey, pending, busy = pending, view, change }: GridProps<Row>) {
  return (
    // The area scrolls by itself, so it can be reached by keyboard.
    <div
      role="region"
      aria-label={`${name}, table`}
      tabIndex={0}
      className="relative max-h-[36rem] overflow-auto rounded-xl border border-border print:max-h-none print:overflow-visible"
    >
      <table className="w-full border-collapse text-sm" aria-busy={busy}>
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Header
                key={column.id}
                column={column}
                sort={view.sort}
                onSort={() => change({ sort: nextSort(view.sort, column) })}
              />
            ))}
          </tr>
        </thead>
        <tbody className={cn('divide-y divide-border', busy && !pending && 'opacity-60')}>
          {pending && SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns.length} />)}
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
  )
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sort | null; onSort: () => void }

function Header<Row>({ column: { id, header, numeric, sortable = true }, sort, onSort }: HeaderProps<Row>) {
  // What is done to a row is nothing to sort by.
  if (!header || !sortable) {
    return (
      <th
        scope="col"
        className={cn('sticky top-0 z-10 bg-muted px-3 py-2.5 text-left font-medium', numeric && 'text-right')}
      >
        {header || <span className="sr-only">Actions</span>}
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

type PagerProps = { name: string; page: number; total: number; onPage: (page: number) => void }

/** Which rows are shown of how many, and the way to the others; it says the number even where there is one page. */
export function Pager({ name, page, total, onPage }: PagerProps) {
  const [first, last] = span(page, total)
  const pages = pagesOf(total)
  return (
    <nav aria-label={`Pages of ${name}`} className="flex flex-wrap items-center justify-end gap-3 print:hidden">
      <p role="status" className="text-sm text-muted-foreground tabular-nums">
        {count(first)}–{count(last)} of {count(total)}
      </p>
      {pages > 1 && (
        <span className="flex gap-1">
          <Button
            variant="outline"
            size="icon"
            aria-label="Previous page"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          >
            <ChevronLeft aria-hidden />
          </Button>
          <Button
            variant="outline"
            size="icon"
            aria-label="Next page"
            disabled={page >= pages}
            onClick={() => onPage(page + 1)}
          >
            <ChevronRight aria-hidden />
          </Button>
        </span>
      )}
    </nav>
  )
}
