import { useQuery } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Board, Level, Program, Target } from '@/data/college/model'
import { useAddTarget } from '@/data/college/mutations'
import { programsQuery } from '@/data/college/queries'
import { count, UNKNOWN } from '@/lib/format'
import { US_STATES } from '@/lib/us-states'
import { Button } from '@/ui/button'
import { Input } from '@/ui/input'
import { Problem, RowsSkeleton, Loading } from '@/ui/section'
import { Select } from '@/ui/select'
import { ProgramMap } from '@/features/college/components/program-map'
import { findPrograms, fitOf, levelName, levelsOf, programFacts } from '@/features/college/model'

type ProgramsProps = { board: Board | undefined; targets: readonly Target[]; levels: readonly Level[] }

const PAGE = 50
const NONE = { text: '', division: '', state: '', rank: '' }

/** All programs, with filters that the address keeps. */
export function Programs({ board, targets, levels }: ProgramsProps) {
  const query = useQuery(programsQuery)
  const [shown, setShown] = useState(PAGE)
  const { filters, change } = useFilters(() => setShown(PAGE))
  const found = findPrograms(query.data ?? [], filters)
  return (
    <div className="grid gap-4">
      <FilterFields filters={filters} levels={levels} onChange={change} />
      {query.isError && (
        <Problem text="The programs could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && (
        <Loading>
          <RowsSkeleton rows={12} />
        </Loading>
      )}
      {query.data && (
        <>
          <p role="status" className="text-sm text-muted-foreground tabular-nums">
            {found.length === 1 ? '1 program' : `${count(found.length)} programs`}
            {filters.state !== '' && ' in EADA, the only source that has states'}
          </p>
          <ProgramMap
            programs={findPrograms(query.data, { ...filters, state: '' })}
            state={filters.state}
            onState={(state) => change({ state })}
          />
          {found.length === 0 ? (
            <NothingFound onClear={() => change(NONE)} />
          ) : (
            <List programs={found.slice(0, shown)} board={board} targets={targets} levels={levels} />
          )}
          {found.length > shown && (
            <Button variant="outline" className="justify-self-center" onClick={() => setShown(shown + PAGE)}>
              Show more
            </Button>
          )}
          <p className="text-sm text-muted-foreground">
            Season 2026. Facts of the NCAA and EADA, by the package ncaa-bbstats 1.4.2.
          </p>
        </>
      )}
    </div>
  )
}

type Filters = typeof NONE

/** The filters, which the address keeps. Calls `onChange` before each change. */
function useFilters(onChange: () => void) {
  const [parameters, setParameters] = useSearchParams()
  const filters: Filters = {
    text: parameters.get('q') ?? '',
    division: parameters.get('division') ?? '',
    state: parameters.get('state') ?? '',
    rank: parameters.get('rank') ?? '',
  }
  const change = (part: Partial<Filters>) => {
    onChange()
    setParameters(
      (now) => {
        for (const [name, value] of Object.entries(part)) {
          const key = name === 'text' ? 'q' : name
          if (value) now.set(key, value)
          else now.delete(key)
        }
        return now
      },
      { replace: true, preventScrollReset: true, flushSync: true },
    )
  }
  return { filters, change }
}

type FilterFieldsProps = {
  filters: Filters
  levels: readonly Level[]
  onChange: (part: Partial<Filters>) => void
}

function FilterFields({ filters, levels, onChange }: FilterFieldsProps) {
  const groups = levelsOf({ pitcher: false }, levels)
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Input
        type="search"
        aria-label="Search programs"
        placeholder="Name or conference"
        className="h-10 max-sm:col-span-2 sm:w-64"
        value={filters.text}
        onChange={({ target }) => onChange({ text: target.value })}
      />
      <Select
        aria-label="Division"
        className="h-10 sm:w-auto"
        value={filters.division}
        onChange={({ target }) => onChange({ division: target.value, rank: '' })}
      >
        <option value="">All divisions</option>
        {[1, 2, 3].map((division) => (
          <option key={division} value={division}>
            Division {division}
          </option>
        ))}
      </Select>
      <Select
        aria-label="State"
        className="h-10 sm:w-auto"
        value={filters.state}
        onChange={({ target }) => onChange({ state: target.value })}
      >
        <option value="">All states</option>
        {US_STATES.map(([code, name]) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Place by RPI"
        className="h-10 sm:w-auto"
        value={filters.rank}
        onChange={({ target }) => onChange({ rank: target.value })}
      >
        <option value="">Any place by RPI</option>
        {groups.map((level) => (
          <option key={level.first_rank} value={`${level.first_rank}-${level.last_rank ?? 999}`}>
            {levelName(level)}
          </option>
        ))}
      </Select>
    </div>
  )
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <div className="grid min-h-40 content-center justify-items-center gap-3 rounded-2xl border border-dashed border-border p-6">
      <p className="font-medium">No program meets all filters</p>
      <Button variant="outline" onClick={onClear}>
        Clear the filters
      </Button>
    </div>
  )
}

type ListProps = ProgramsProps & { programs: readonly Program[] }

function List({ programs, board, targets, levels }: ListProps) {
  const add = useAddTarget(board?.playerId ?? '')
  return (
    <ul aria-label="Programs" className="divide-y divide-border overflow-clip rounded-2xl border border-border bg-card">
      {programs.map((program) => {
        const added = targets.some(({ program_id }) => program_id === program.id)
        const fit = board && fitOf(board, program, levels)
        return (
          <li key={program.id} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm">
            <div className="min-w-0 grow basis-56">
              <p className="font-medium wrap-anywhere">{program.name}</p>
              <p className="text-xs wrap-anywhere text-muted-foreground">
                {programFacts(program)}
                {program.institution && ` · ${program.institution}`}
              </p>
            </div>
            <p className="text-xs text-muted-foreground tabular-nums">Roster {program.roster_size ?? UNKNOWN}</p>
            {fit && <strong className="w-12 text-xs">{fit.band}</strong>}
            {board?.writes &&
              (added ? (
                <span className="inline-flex h-8 items-center gap-1.5 px-3 text-success">
                  <Check aria-hidden className="size-4" />
                  On the board
                </span>
              ) : (
                <Button
                  size="sm"
                  variant="outline"
                  aria-label={`Add ${program.name}`}
                  disabled={add.isPending}
                  onClick={() => add.mutate(program.id)}
                >
                  <Plus aria-hidden />
                  Add
                </Button>
              ))}
          </li>
        )
      })}
    </ul>
  )
}
