import { ArrowDown, ArrowUp, ChevronLeft, ChevronRight, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Select } from '@/ui/select'
import {
  cellText,
  nextSort,
  pagesOf,
  parseSort,
  sortText,
  span,
  type Column as PlainColumn,
  type Sort,
} from '@/ui/table/model'
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
  /** Whether to show grey bars in place of rows. */
  pending: boolean
  /** Whether other rows are on their way. */
  busy?: boolean
}

/** Columns of numbers from which on a phone shows them side by side, each under its name. */
const MANY_NUMBERS = 5

/**
 * The table itself: its header stays in sight and sorts, and what can be done to a row stays in sight at the right edge.
 * On a phone every row is a card. The roles are explicit because browsers drop those of a table whose `display` was changed.
 */
export function Grid<Row>({ name, columns, rows, rowKey, pending, busy = pending, view, change }: GridProps<Row>) {
  const dense = columns.filter(({ numeric }) => numeric).length >= MANY_NUMBERS
  return (
    <div className="grid min-w-0 gap-3">
      <SortChoice name={name} columns={columns} sort={view.sort} onSort={(sort) => change({ sort })} />
      {/* The area scrolls by itself, so it can be reached by keyboard. */}
      <div
        role="region"
        aria-label={`${name}, table`}
        tabIndex={0}
        className="relative rounded-xl border border-border max-sm:overflow-clip sm:max-h-[36rem] sm:overflow-auto print:max-h-none print:overflow-visible"
      >
        <table role="table" className="w-full border-collapse text-sm max-sm:block" aria-busy={busy}>
          <caption className="sr-only">{name}</caption>
          <thead role="rowgroup" className="max-sm:hidden">
            <tr role="row">
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
          <tbody
            role="rowgroup"
            className={cn('divide-y divide-border max-sm:block', busy && !pending && 'opacity-60')}
          >
            {pending && SKELETON_ROWS.map((row) => <SkeletonRow key={row} columns={columns.length} />)}
            {rows.map((row) => (
              <tr
                role="row"
                key={rowKey(row)}
                className={cn(
                  'group bg-card hover:bg-muted max-sm:grid max-sm:gap-x-3 max-sm:gap-y-1 max-sm:p-3',
                  dense ? 'max-sm:grid-cols-5' : 'max-sm:grid-cols-1',
                )}
              >
                {columns.map((column, index) => (
                  <Cell key={column.id} column={column} row={row} first={index === 0} dense={dense} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

type CellProps<Row> = { column: Column<Row>; row: Row; first: boolean; dense: boolean }

/** A cell; in a card the first is its title, and every other one carries the name of its column. */
function Cell<Row>({ column, row, first, dense }: CellProps<Row>) {
  const content = column.cell ? column.cell(row) : cellText(column, row)
  if (!column.header) {
    return (
      <td
        role="cell"
        className="px-3 py-1.5 max-sm:col-span-full max-sm:p-0 sm:sticky sm:right-0 sm:bg-inherit sm:shadow-[-1px_0_0_var(--color-border)]"
      >
        {content}
      </td>
    )
  }
  const stacked = dense && column.numeric
  return (
    <td
      role="cell"
      data-label={column.header}
      className={cn(
        'px-3 py-2.5 max-sm:p-0 max-sm:wrap-anywhere',
        column.numeric && 'whitespace-nowrap tabular-nums sm:text-right',
        first
          ? 'max-sm:col-span-full max-sm:font-medium'
          : 'max-sm:before:text-muted-foreground max-sm:before:content-[attr(data-label)]',
        !first && stacked && 'max-sm:grid max-sm:content-start max-sm:before:text-[11px]',
        !first && !stacked && 'max-sm:col-span-full max-sm:flex max-sm:justify-between max-sm:gap-4 max-sm:text-right',
      )}
    >
      {content}
    </td>
  )
}

type SortChoiceProps<Row> = {
  name: string
  columns: readonly Column<Row>[]
  sort: Sort | null
  onSort: (sort: Sort | null) => void
}

/** On a phone there are no headers to sort by. */
function SortChoice<Row>({ name, columns, sort, onSort }: SortChoiceProps<Row>) {
  return (
    <Select
      aria-label={`Sort ${name}`}
      className="h-10 sm:hidden print:hidden"
      value={sort ? sortText(sort) : ''}
      onChange={(event) => onSort(parseSort(event.target.value))}
    >
      <option value="">Sort by…</option>
      {columns
        .filter(({ header, sortable = true }) => header && sortable)
        .flatMap(({ id, header }) => [
          <option key={id} value={id}>
            {header} ↑
          </option>,
          <option key={`-${id}`} value={`-${id}`}>
            {header} ↓
          </option>,
        ])}
    </Select>
  )
}

type HeaderProps<Row> = { column: Column<Row>; sort: Sort | null; onSort: () => void }

function Header<Row>({ column: { id, header, numeric, sortable = true }, sort, onSort }: HeaderProps<Row>) {
  // What is done to a row is nothing to sort by.
  if (!header || !sortable) {
    return (
      <th
        role="columnheader"
        scope="col"
        className={cn(
          'sticky top-0 z-10 bg-muted px-3 py-2.5 text-left font-medium',
          numeric && 'text-right',
          !header && 'sm:right-0 sm:z-20',
        )}
      >
        {header || <span className="sr-only">Actions</span>}
      </th>
    )
  }
  const sorted = sort?.column === id ? (sort.descending ? 'descending' : 'ascending') : undefined
  const Icon = sorted ? (sorted === 'descending' ? ArrowDown : ArrowUp) : ChevronsUpDown
  return (
    <th role="columnheader" scope="col" aria-sort={sorted} className="sticky top-0 z-10 bg-muted p-0 font-medium">
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
    <tr role="row" className="max-sm:grid max-sm:gap-1 max-sm:p-3">
      {Array.from({ length: columns }, (_, column) => (
        <td role="cell" key={column} className="px-3 py-3 max-sm:p-1">
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
