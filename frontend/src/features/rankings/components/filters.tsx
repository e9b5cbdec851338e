import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { RankFilters, RankView } from '@/data/rankings/model'
import { leaguesQuery } from '@/data/teams/queries'
import { currentClasses, POSITION_GROUPS } from '@/lib/positions'
import { US_STATES } from '@/lib/us-states'
import { Select } from '@/ui/select'

type FiltersProps = {
  view: RankView
  /** The seasons to choose from, and the one that is shown. */
  seasons: readonly number[]
  season: number | null
  onChange: (part: Partial<RankFilters>) => void
  onSeason: (season: number) => void
}

/** Whom the list is of. */
export function Filters({ view: { kind, filters }, seasons, season, onChange, onSeason }: FiltersProps) {
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
      <Choice label="State" value={filters.state} onChange={(state) => onChange({ state })}>
        <option value="">All states</option>
        {options(US_STATES)}
      </Choice>
      {kind === 'teams' ? (
        <>
          <League value={filters.league} onChange={(league) => onChange({ league })} />
          {season !== null && (
            <Choice label="Season" value={String(season)} onChange={(year) => onSeason(Number(year))}>
              {[...new Set([season, ...seasons])]
                .sort((one, other) => other - one)
                .map((year) => (
                  <option key={year} value={year}>
                    Season {year}
                  </option>
                ))}
            </Choice>
          )}
        </>
      ) : (
        <>
          <Choice label="Class" value={filters.class} onChange={(year) => onChange({ class: year })}>
            <option value="">All classes</option>
            {currentClasses().map((year) => (
              <option key={year} value={year}>
                Class of {year}
              </option>
            ))}
          </Choice>
          <Choice label="Position" value={filters.position} onChange={(position) => onChange({ position })}>
            <option value="">All positions</option>
            {options(POSITION_GROUPS)}
          </Choice>
        </>
      )}
    </div>
  )
}

function League({ value, onChange }: { value: string; onChange: (league: string) => void }) {
  const { data: leagues } = useQuery(leaguesQuery)
  return (
    <Choice label="League" value={value} onChange={onChange}>
      <option value="">All leagues</option>
      {leagues?.map(({ id, name, level }) => (
        <option key={id} value={id}>
          {name}, {level}
        </option>
      ))}
    </Choice>
  )
}

const options = (list: readonly (readonly [string, string])[]) =>
  list.map(([value, name]) => (
    <option key={value} value={value}>
      {name}
    </option>
  ))

type ChoiceProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode }

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <Select
      aria-label={label}
      className="h-10 sm:w-auto sm:max-w-64"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </Select>
  )
}
