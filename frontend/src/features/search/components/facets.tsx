import { SlidersHorizontal } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import type { Facet, Filters, ListFacet, SearchPage } from '@/data/search/model'
import { count, feet } from '@/lib/format'
import { currentClasses, POSITIONS } from '@/lib/positions'
import { stateName, US_STATES } from '@/lib/us-states'
import { cn } from '@/ui/class-names'
import { Select } from '@/ui/select'
import { withoutFilter } from '@/features/search/model'

type FacetsProps = {
  filters: Filters
  /** Undefined while the first page is on its way. */
  counts: SearchPage['facets'] | undefined
  onChange: (filters: Filters) => void
}

const SIDES: Readonly<Record<'bats' | 'throws', readonly (readonly [string, string])[]>> = {
  bats: [
    ['R', 'Right'],
    ['L', 'Left'],
    ['S', 'Both'],
  ],
  throws: [
    ['R', 'Right'],
    ['L', 'Left'],
  ],
}
const HEIGHTS = [66, 68, 70, 72, 74, 76, 78]
const VELOCITIES = [60, 65, 70, 75, 80, 85, 90, 95]
/** States offered as boxes; the others are in the list below them. */
const STATES = 6

/** The filters, in a column of their own or, on narrow screens, behind one line. */
export function Facets(props: FacetsProps) {
  return (
    <>
      <details className="rounded-2xl border border-border bg-card lg:hidden">
        <summary className="flex h-12 cursor-pointer items-center gap-2 px-4 text-sm font-medium">
          <SlidersHorizontal aria-hidden className="size-4" />
          Filters
        </summary>
        <div className="border-t border-border p-4">
          <Groups {...props} />
        </div>
      </details>
      <div className="self-start rounded-2xl border border-border bg-card p-4 max-lg:hidden">
        <Groups {...props} />
      </div>
    </>
  )
}

function Groups({ filters, counts, onChange }: FacetsProps) {
  const least = (name: 'height' | 'velocity') => (value: string) => {
    const rest = withoutFilter(filters, name)
    onChange(value ? { ...rest, [name]: Number(value) } : rest)
  }
  const boxes = (name: ListFacet, options: readonly (readonly [string, string])[]) => (
    <Boxes
      options={options}
      chosen={filters[name] ?? []}
      counts={counts?.[name]}
      onChange={(values) => {
        const rest = withoutFilter(filters, name)
        onChange(values.length > 0 ? { ...rest, [name]: values } : rest)
      }}
    />
  )
  const { verified, ...unverified } = filters
  return (
    <div className="grid gap-5 max-lg:grid-cols-2 max-lg:gap-4">
      <Group title="Position">{boxes('position', namedAsTheyAre(seen(POSITIONS, counts, 'position', filters)))}</Group>
      <Group title="Class">{boxes('class', namedAsTheyAre(currentClasses().map(String)))}</Group>
      <States filters={filters} counts={counts} onChange={onChange} />
      <Group title="Bats">{boxes('bats', SIDES.bats)}</Group>
      <Group title="Throws">{boxes('throws', SIDES.throws)}</Group>
      <Group title="Height, at least">
        <Least label="Height, at least" value={filters.height} steps={HEIGHTS} word={feet} onChange={least('height')} />
      </Group>
      <Group title="Throwing velocity, at least">
        <Least
          label="Throwing velocity, at least"
          value={filters.velocity}
          steps={VELOCITIES}
          word={(mph) => `${mph} mph`}
          onChange={least('velocity')}
        />
      </Group>
      <Group title="Evidence">
        <Box
          label="Verified numbers only"
          checked={verified === true}
          n={counts?.verified?.true ?? (counts?.verified === null ? undefined : counts && 0)}
          onChange={(checked) => onChange(checked ? { ...unverified, verified: true } : unverified)}
        />
      </Group>
    </div>
  )
}

const namedAsTheyAre = (values: readonly string[]) => values.map((value) => [value, value] as const)

/** Without the values that nobody has, unless they are chosen. */
function seen(values: readonly string[], counts: FacetsProps['counts'], name: ListFacet, filters: Filters): string[] {
  const known = counts?.[name]
  if (!known) return [...values]
  return values.filter((value) => known[value] || filters[name]?.includes(value))
}

function States({ filters, counts, onChange }: FacetsProps) {
  const { state: chosen = [], ...rest } = filters
  const known = counts?.state
  const frequent = Object.entries(known ?? {})
    .sort(([a, m], [b, n]) => n - m || a.localeCompare(b))
    .map(([code]) => code)
  const offered = [...new Set([...chosen, ...frequent.slice(0, STATES)])]
  const change = (state: string[]) => onChange(state.length > 0 ? { ...rest, state } : rest)
  return (
    <Group title="State">
      <Boxes
        options={offered.map((code) => [code, stateName(code)])}
        chosen={chosen}
        counts={known}
        onChange={change}
      />
      <Select
        aria-label="Another state"
        className="h-9"
        value=""
        onChange={({ target }) => change([...chosen, target.value])}
      >
        <option value="">{offered.length > 0 ? 'Another state' : 'Any state'}</option>
        {US_STATES.filter(([code]) => !offered.includes(code)).map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
    </Group>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="grid min-w-0 content-start gap-1.5">
      <h2 id={id} className="text-sm font-semibold">
        {title}
      </h2>
      {children}
    </div>
  )
}

type BoxesProps = {
  options: readonly (readonly [string, string])[]
  chosen: readonly string[]
  counts: SearchPage['facets'][Facet]
  onChange: (chosen: string[]) => void
}

function Boxes({ options, chosen, counts, onChange }: BoxesProps) {
  return options.map(([value, label]) => (
    <Box
      key={value}
      label={label}
      checked={chosen.includes(value)}
      n={counts ? (counts[value] ?? 0) : undefined}
      onChange={(checked) => onChange(checked ? [...chosen, value] : chosen.filter((one) => one !== value))}
    />
  ))
}

type BoxProps = { label: string; checked: boolean; n: number | undefined; onChange: (checked: boolean) => void }

/** A box with how many players it stands for, where they are counted. */
function Box({ label, checked, n, onChange }: BoxProps) {
  return (
    <label className={cn('flex min-h-8 items-center gap-2.5 text-sm', n === 0 && !checked && 'text-muted-foreground')}>
      <input
        type="checkbox"
        className="size-4.5 shrink-0 accent-primary"
        checked={checked}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span className="min-w-0 grow">{label}</span>
      {n !== undefined && <span className="text-muted-foreground tabular-nums">{count(n)}</span>}
    </label>
  )
}

type LeastProps = {
  label: string
  value: number | undefined
  steps: readonly number[]
  word: (value: number) => string
  onChange: (value: string) => void
}

function Least({ label, value, steps, word, onChange }: LeastProps) {
  const offered = value && !steps.includes(value) ? [...steps, value].sort((a, b) => a - b) : steps
  return (
    <Select aria-label={label} className="h-9" value={value ?? ''} onChange={({ target }) => onChange(target.value)}>
      <option value="">Any</option>
      {offered.map((step) => (
        <option key={step} value={step}>
          {word(step)}
        </option>
      ))}
    </Select>
  )
}
