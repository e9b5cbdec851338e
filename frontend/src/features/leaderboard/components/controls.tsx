import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { kindsQuery } from '@/data/players/queries'
import type { Leaderboard, LeaderFilters, LeaderView } from '@/data/leaderboard/model'
import { count, innings } from '@/lib/format'
import { currentClasses, POSITION_GROUPS } from '@/lib/positions'
import { US_STATES } from '@/lib/us-states'
import { Select } from '@/ui/select'
import { Switch } from '@/ui/switch'
import { TabsList, TabsTrigger } from '@/ui/tabs'
import { AGES, hasAges } from '@/features/leaderboard/model'
import { measuredStat, SEASON_STATS, TABS, tabOf, type Stat, type Tab } from '@/features/leaderboard/stats'

type ControlsProps = { view: LeaderView; season: number | null; onChange: (part: Partial<LeaderView>) => void }

const TITLES: Readonly<Record<Tab, string>> = { measured: 'Measured', batting: 'Batting', pitching: 'Pitching' }
/** Seasons to choose from, this year's first. */
const SEASONS = 8

/** The statistics of a tab; undefined while the kinds of measurements are on their way. */
export function useStats(tab: Tab): readonly Stat[] | undefined {
  const { data: kinds } = useQuery(kindsQuery)
  if (tab !== 'measured') return SEASON_STATS[tab]
  return kinds?.filter(({ active }) => active).map(measuredStat)
}

/** The tabs of statistics; what is below them is the content of the chosen one. */
export function StatTabs() {
  return (
    <TabsList aria-label="Statistics" className="w-88 max-w-[calc(100vw-2.5rem)]">
      {TABS.map((one) => (
        <TabsTrigger key={one} value={one}>
          {TITLES[one]}
        </TabsTrigger>
      ))}
    </TabsList>
  )
}

/** Chooses the statistic, the players and the evidence that counts. */
export function Controls({ view, season, onChange }: ControlsProps) {
  const { stat, filters, evidence } = view
  const tab = tabOf(stat)
  const stats = useStats(tab)
  const thisYear = new Date().getFullYear()
  const seasons = [
    ...new Set([...Array.from({ length: SEASONS }, (_, back) => thisYear - back), ...(season ? [season] : [])]),
  ]
  const ages = hasAges(stat, view.season ?? season)
  const filter = (part: Partial<LeaderFilters>) => onChange({ filters: { ...filters, ...part } })
  return (
    <div className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:items-center">
      <Choice label="Statistic" value={stat} onChange={(stat) => onChange({ stat, minimum: null })}>
        {(stats ?? []).map(({ name, label }) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </Choice>
      {tab !== 'measured' && (
        <Choice
          label="Season"
          value={String(view.season ?? season ?? thisYear)}
          onChange={(year) => onChange({ season: Number(year) })}
        >
          {seasons.map((year) => (
            <option key={year} value={year}>
              Season {year}
            </option>
          ))}
        </Choice>
      )}
      {ages && (
        <Choice label="Age group" value={filters.age} onChange={(age) => filter({ age })}>
          <option value="">All ages</option>
          {options(AGES)}
        </Choice>
      )}
      <Choice label="Class" value={filters.class} onChange={(year) => filter({ class: year })}>
        <option value="">All classes</option>
        {currentClasses().map((year) => (
          <option key={year} value={year}>
            Class of {year}
          </option>
        ))}
      </Choice>
      <Choice label="Position" value={filters.position} onChange={(position) => filter({ position })}>
        <option value="">All positions</option>
        {options(POSITION_GROUPS)}
      </Choice>
      <Choice label="State" value={filters.state} onChange={(state) => filter({ state })}>
        <option value="">All states</option>
        {options(US_STATES)}
      </Choice>
      <label className="flex h-10 items-center gap-2 text-sm max-sm:col-span-2">
        <Switch
          checked={evidence === 'verified'}
          onCheckedChange={(verified) => onChange({ evidence: verified ? 'verified' : 'all' })}
        />
        Verified and scorebook only
      </label>
      {!ages && (
        <p className="text-sm text-muted-foreground max-sm:col-span-2 sm:w-full">
          Only this season has age groups: those of several seasons would reveal birth years.
        </p>
      )}
    </div>
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
      className="h-10 sm:w-auto"
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {children}
    </Select>
  )
}

/** The greatest minimum on the slider: plate appearances, or outs. */
const GREATEST: Readonly<Record<'batting' | 'pitching', number>> = { batting: 200, pitching: 300 }

type QualifierProps = {
  tab: 'batting' | 'pitching'
  /** The minimum that was asked for; null for the usual one. */
  asked: number | null
  /** The last answer, which may be of another minimum. */
  board: Pick<Leaderboard, 'minimum' | 'qualified' | 'unqualified'>
  onMinimum: (minimum: number) => void
}

/** How many tries qualify for a rank. The list follows when the slider is let go. */
export function Qualifier({ tab, asked, board, onMinimum }: QualifierProps) {
  const [moving, setMoving] = useState<number | null>(null)
  const minimum = moving ?? asked ?? board.minimum
  const words = tab === 'batting' ? `${minimum} PA` : `${innings(minimum)} IP`
  const settle = () => {
    if (moving !== null) onMinimum(moving)
    setMoving(null)
  }
  return (
    <div className="grid gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm">
        <span>
          At least <strong className="text-base tabular-nums">{words}</strong>
        </span>
        <span role="status" className="text-muted-foreground tabular-nums">
          {minimum === board.minimum
            ? `${count(board.qualified)} of ${count(board.qualified + board.unqualified)} qualify`
            : 'Counting…'}
        </span>
      </p>
      <input
        type="range"
        aria-label={tab === 'batting' ? 'Least plate appearances' : 'Least outs'}
        aria-valuetext={words}
        className="h-6 w-full accent-primary"
        min={0}
        max={Math.max(GREATEST[tab], minimum)}
        step={tab === 'batting' ? 5 : 3}
        value={minimum}
        onChange={({ target }) => setMoving(Number(target.value))}
        onPointerUp={settle}
        onKeyUp={settle}
        onBlur={settle}
      />
    </div>
  )
}
