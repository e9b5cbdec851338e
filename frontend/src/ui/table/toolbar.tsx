import { Download, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { messageOf } from '@/lib/errors'
import { download } from '@/lib/download'
import { Button } from '@/ui/button'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { toast } from '@/ui/toast/toast-state'
import { toCsv, type Column, type Filter, type View } from '@/ui/table/model'
import type { TableView } from '@/ui/table/view'

/** Milliseconds after the last key before the address and the rows follow. */
const TYPING = 250

type ToolbarProps<Row> = TableView & {
  name: string
  columns: readonly Column<Row>[]
  filters: readonly Filter[]
  searchable: boolean
  /** Every row of the view, on all of its pages. */
  rows: () => Promise<readonly Row[]> | readonly Row[]
  /** Whether there is nothing to export. */
  nothing: boolean
}

/** Above a table: its search, its filters, its file. */
export function Toolbar<Row>(props: ToolbarProps<Row>) {
  const { name, columns, filters, searchable, rows, nothing, view, change } = props
  return (
    <div className="flex flex-wrap items-end gap-3 print:hidden">
      {searchable && <SearchBox name={name} value={view.search} onChange={(search) => change({ search })} />}
      {filters.map((filter) => (
        <FilterBox
          key={filter.id}
          filter={filter}
          value={view.filters[filter.id]}
          onChange={(value) => change({ filters: { [filter.id]: value } })}
        />
      ))}
      <CsvButton name={name} columns={columns} rows={rows} nothing={nothing} />
    </div>
  )
}

type SearchBoxProps = { name: string; value: string; onChange: (value: string) => void }

/** Keeps what is typed to itself until the typing pauses: the address is too slow for every key. */
function SearchBox({ name, value, onChange }: SearchBoxProps) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  const [sent, setSent] = useState(value)
  // The address has changed by something else than this box.
  if (value !== seen) {
    setSeen(value)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }
  useEffect(() => {
    if (text === sent) return
    const timer = setTimeout(() => {
      setSent(text)
      onChange(text)
    }, TYPING)
    return () => clearTimeout(timer)
  }, [text, sent, onChange])
  return (
    <Input
      type="search"
      aria-label={`Search ${name}`}
      placeholder="Search…"
      value={text}
      onChange={(event) => setText(event.target.value)}
      className="h-10 w-full sm:w-64"
    />
  )
}

type FilterBoxProps = { filter: Filter; value: string | undefined; onChange: (value: string) => void }

function FilterBox({ filter: { id, label, options }, value = '', onChange }: FilterBoxProps) {
  // A value that only links set, such as the id of a user.
  if (value && !options.some(([option]) => option === value)) {
    return (
      <Button variant="secondary" aria-label={`${label}: show all`} onClick={() => onChange('')}>
        {label}
        <X aria-hidden />
      </Button>
    )
  }
  if (options.length === 0) return null
  return (
    <Select
      aria-label={label}
      data-filter={id}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-10 w-auto max-w-64"
    >
      <option value="">{label}: all</option>
      {options.map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Select>
  )
}

type CsvButtonProps<Row> = Pick<ToolbarProps<Row>, 'name' | 'columns' | 'rows' | 'nothing'>

function CsvButton<Row>({ name, columns, rows, nothing }: CsvButtonProps<Row>) {
  const [pending, setPending] = useState(false)
  async function save() {
    setPending(true)
    try {
      download(`${name.toLowerCase().replaceAll(' ', '-')}.csv`, toCsv(await rows(), columns), 'text/csv')
    } catch (error) {
      toast({ title: 'The file was not made', description: messageOf(error, 'Please try again.'), variant: 'error' })
    } finally {
      setPending(false)
    }
  }
  return (
    <Button
      variant="outline"
      className="ml-auto"
      aria-label={pending ? undefined : `${name} as CSV`}
      disabled={nothing || pending}
      onClick={() => void save()}
    >
      <Download aria-hidden />
      {pending ? 'Preparing…' : 'CSV'}
    </Button>
  )
}

/** Says of a search or filter that nothing fits, and how to see everything again. */
export function NothingFound({ view, change }: TableView) {
  const filters = Object.fromEntries(Object.keys(view.filters).map((id) => [id, '']))
  return (
    <>
      Nothing fits{view.search ? ` “${view.search}”` : ' this choice'}.{' '}
      <Button variant="link" className="h-auto p-0" onClick={() => change({ search: '', filters })}>
        Show all
      </Button>
    </>
  )
}

/** Whether a view leaves rows out. */
export const isNarrowed = ({ search, filters }: View) => search.trim() !== '' || Object.keys(filters).length > 0
