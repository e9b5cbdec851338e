import { Check, ChevronLeft, Delete } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { FieldMap } from '@/features/games/scoring/components/field-map'
import { RunnerDiamond } from '@/features/games/scoring/components/runner-diamond'
import {
  advancesOut,
  eventOf,
  isBatted,
  isRunning,
  needsBesides,
  needsFielders,
  outcomeOf,
  problemOf,
  recordOf,
  takesPlace,
  type Besides,
  type Draft,
  type End,
} from '@/features/games/scoring/compose'
import type { Standing } from '@/features/games/scoring/standing'
import { words } from '@/features/games/words'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'

type ConfirmPlayProps = {
  draft: Draft
  now: Standing
  name: (id: string) => string
  pitches: string
  onChange: (draft: Draft) => void
  onSave: () => Promise<void>
  onBack: () => void
}

/** The second look at a play: who fielded the ball, where it came down, and where everybody ends. */
export function ConfirmPlay({ draft, now, name, pitches, onChange, onSave, onBack }: ConfirmPlayProps) {
  const [busy, setBusy] = useState(false)
  const problem = problemOf(draft, now)
  const outcome = outcomeOf(draft, now)
  const said = words({ record: recordOf(draft, now, pitches), outcome }, name)
  const save = async () => {
    setBusy(true)
    try {
      await onSave()
    } finally {
      setBusy(false)
    }
  }
  const single = takesPlace(draft.kind) || draft.kind === 'error'
  const origins = ([3, 2, 1, 0] as const).filter((from) => draft.ends[from] !== undefined)
  const who = (from: 0 | 1 | 2 | 3) => name((from === 0 ? now.batter : now.bases[from - 1]) ?? '')
  const end = (from: 0 | 1 | 2 | 3, end: End) => onChange({ ...draft, ends: { ...draft.ends, [from]: end } })
  return (
    <div className="grid gap-4">
      {isBatted(draft.kind) && (
        <FieldMap
          zone={draft.zone ?? ''}
          onChange={(zone, fielder) =>
            onChange({
              ...draft,
              zone,
              // The nearest fielder, unless the scorer named somebody.
              fielders: fielder && draft.fielders.length === 0 ? [fielder] : draft.fielders,
            })
          }
        />
      )}
      {(needsFielders(draft.kind) || takesPlace(draft.kind)) && (
        <Fielders
          legend={takesPlace(draft.kind) ? 'Hit to' : 'Fielded by, in order'}
          chosen={draft.fielders}
          single={single}
          onChange={(fielders) => onChange({ ...draft, fielders })}
        />
      )}
      {now.bases.some((runner) => runner !== null) && (
        <RunnerDiamond
          runners={origins.map((from) => ({ from, name: who(from), end: draft.ends[from] ?? 'out' }))}
          onEnd={end}
        />
      )}
      {origins.map((from) => (
        <Ending
          key={from}
          from={from}
          who={who(from)}
          end={draft.ends[from] ?? 'out'}
          running={isRunning(draft.kind)}
          onChange={(to) => end(from, to)}
        />
      ))}
      {advancesOut(draft).length > 0 && (
        <Fielders
          legend="Runner put out by, in order"
          chosen={draft.putOutBy}
          onChange={(putOutBy) => onChange({ ...draft, putOutBy })}
        />
      )}
      {needsBesides(draft) && (
        <Choice
          legend="How the runner moved"
          options={draft.kind === 'dropped_third' ? BESIDES.slice(1) : BESIDES}
          chosen={draft.besides}
          onChoose={(besides) => onChange({ ...draft, besides })}
        />
      )}
      <div className="sticky bottom-16 grid gap-3 border-t border-border bg-background py-3">
        <p role="status">
          {problem ?? (
            <>
              <span className="font-semibold">{said.title}.</span> {said.detail && `${said.detail}.`}{' '}
              <code className="text-sm text-muted-foreground">{eventOf(draft, now.outs)}</code>
            </>
          )}
        </p>
        <div className="grid grid-cols-[auto_1fr] gap-3">
          <Button variant="outline" size="lg" onClick={onBack}>
            <ChevronLeft aria-hidden />
            Back
          </Button>
          <Button size="lg" disabled={problem !== null || busy} onClick={() => void save()}>
            <Check aria-hidden />
            Save play
          </Button>
        </div>
      </div>
    </div>
  )
}

const BASE_NAMES = ['Batter', '1st', '2nd', '3rd', 'Home'] as const

type EndingProps = { from: 0 | 1 | 2 | 3; who: string; end: End; running: boolean; onChange: (end: End) => void }

/** Where one runner ends. */
function Ending({ from, who, end, running, onChange }: EndingProps) {
  const bases = ([1, 2, 3, 4] as const).filter((base) => base >= Math.max(from, 1))
  const ends: End[] = [...bases, 'out']
  if (running && from === 0) return null
  const legend = (
    <>
      <span className="font-semibold">{who}</span>{' '}
      <span className="text-muted-foreground">{from === 0 ? 'batter' : `on ${BASE_NAMES[from]}`}</span>
    </>
  )
  const options = ends.map((one) => [one, one === 'out' ? 'Out' : BASE_NAMES[one]] as const)
  return <Choice legend={legend} options={options} chosen={end} onChoose={onChange} />
}

const BESIDES: readonly (readonly [Besides, string])[] = [
  ['SB', 'Steal'],
  ['WP', 'Wild pitch'],
  ['PB', 'Passed ball'],
]

type ChoiceProps<Value> = {
  legend: ReactNode
  options: readonly (readonly [Value, string])[]
  chosen: Value | undefined
  onChoose: (value: Value) => void
}

/** One of a few, side by side. */
function Choice<Value extends string | number>({ legend, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm">{legend}</legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1">
        {options.map(([value, name]) => (
          <Button
            key={value}
            variant={value === chosen ? 'default' : 'ghost'}
            className="h-12 px-1"
            aria-pressed={value === chosen}
            onClick={() => onChoose(value)}
          >
            {name}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

/** Columns and rows of the positions on the field, seen from the plate. */
const SPOTS: readonly (readonly [position: number, name: string])[] = [
  [7, 'LF'],
  [8, 'CF'],
  [9, 'RF'],
  [6, 'SS'],
  [1, 'P'],
  [4, '2B'],
  [5, '3B'],
  [2, 'C'],
  [3, '1B'],
]

type FieldersProps = {
  legend: string
  chosen: readonly number[]
  single?: boolean
  onChange: (chosen: number[]) => void
}

function Fielders({ legend, chosen, single = false, onChange }: FieldersProps) {
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 flex w-full items-center justify-between text-sm">
        <span>
          {legend}: <span className="font-semibold">{chosen.join('-')}</span>
        </span>
      </legend>
      <div className="grid grid-cols-3 gap-1.5 rounded-xl bg-night p-2">
        {SPOTS.map(([position, name]) => (
          <Button
            key={position}
            variant="secondary"
            className={cn('h-12', chosen.includes(position) && 'bg-clay text-night hover:bg-clay')}
            aria-pressed={chosen.includes(position)}
            onClick={() => onChange(single ? [position] : [...chosen, position])}
          >
            {position} <span className="text-xs font-normal">{name}</span>
          </Button>
        ))}
      </div>
      {!single && chosen.length > 0 && (
        <Button variant="ghost" className="h-12" onClick={() => onChange([])}>
          <Delete aria-hidden />
          Clear fielders
        </Button>
      )}
    </fieldset>
  )
}
