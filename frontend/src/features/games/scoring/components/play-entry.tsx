import { Check, ChevronLeft, Delete } from 'lucide-react'
import { useRef, useState } from 'react'
import { words } from '@/features/games/words'
import {
  advancesOut,
  draftOf,
  eventOf,
  isRunning,
  needsFielders,
  outcomeOf,
  problemOf,
  recordOf,
  takesPlace,
  type Draft,
  type End,
  type Kind,
} from '@/features/games/scoring/compose'
import type { Outcome } from '@/data/games/model'
import type { Standing } from '@/features/games/scoring/standing'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'

type Option = readonly [kind: Kind, name: string]

const HITS: readonly Option[] = [
  ['single', '1B'],
  ['double', '2B'],
  ['triple', '3B'],
  ['home_run', 'HR'],
]
const OUTS: readonly Option[] = [
  ['strikeout', 'K swinging'],
  ['strikeout_looking', 'K looking'],
  ['ground', 'Ground out'],
  ['fly', 'Fly out'],
  ['line', 'Line out'],
  ['pop', 'Pop out'],
]
const FREE: readonly Option[] = [
  ['walk', 'Walk'],
  ['hit_by_pitch', 'Hit by pitch'],
  ['error', 'Error'],
]
const ODD: readonly Option[] = [
  ['fielders_choice', 'Fielder’s choice'],
  ['bunt', 'Bunt, out'],
  ['intentional_walk', 'Intentional walk'],
  ['dropped_third', 'Strike 3, safe'],
  ['interference', 'Interference'],
]
const WITH_RUNNERS: readonly Option[] = [
  ['double_play', 'Double play'],
  ['force', 'Force out'],
]
const RUNNERS: readonly Option[] = [
  ['steal', 'Steal'],
  ['caught', 'Caught stealing'],
  ['wild_pitch', 'Wild pitch'],
  ['passed_ball', 'Passed ball'],
  ['picked_off', 'Picked off'],
  ['balk', 'Balk'],
  ['indifference', 'Indifference'],
]
/** Choices that need no second look when nobody is on base. */
const AT_ONCE: readonly Kind[] = ['strikeout', 'strikeout_looking', 'walk', 'hit_by_pitch', 'intentional_walk']

type PlayEntryProps = {
  now: Standing
  /** How many records there are. A draft belongs to the state after them. */
  at: number
  name: (id: string) => string
  /** Resolves to false if the play could not be kept. */
  onPlay: (record: string, outcome: Outcome) => Promise<boolean>
}

/** Milliseconds after a play in which a second tap is a double tap. */
const DOUBLE_TAP = 300

/** Enters a play: what happened, then who fielded it and where everybody ends. */
export function PlayEntry({ now, at, name, onPlay }: PlayEntryProps) {
  const [begun, setBegun] = useState<{ draft: Draft; at: number } | null>(null)
  const [resting, setResting] = useState(false)
  const entering = useRef(false)
  const draft = begun?.at === at ? begun.draft : null
  const setDraft = (draft: Draft | null) => setBegun(draft && { draft, at })
  const runners = now.bases.some((runner) => runner !== null)
  const enter = async (play: Draft) => {
    if (entering.current) return
    entering.current = true
    setResting(true)
    const rest = () => {
      entering.current = false
      setResting(false)
    }
    try {
      if (await onPlay(recordOf(play, now), outcomeOf(play, now))) setDraft(null)
    } finally {
      setTimeout(rest, DOUBLE_TAP)
    }
  }
  const choose = (kind: Kind) => {
    const play = draftOf(kind, now.bases, now.outs)
    if (AT_ONCE.includes(kind) && !runners) void enter(play)
    else setDraft(play)
  }
  if (draft) {
    return (
      <Confirm
        draft={draft}
        now={now}
        name={name}
        onChange={setDraft}
        onSave={() => enter(draft)}
        onBack={() => setDraft(null)}
      />
    )
  }
  return (
    // Not `disabled`, which would flash.
    <div className={cn('grid gap-3', resting && 'pointer-events-none')}>
      <Options options={HITS} onChoose={choose} className="grid-cols-4" strong />
      <Options options={OUTS} onChoose={choose} className="grid-cols-2" />
      <Options options={FREE} onChoose={choose} className="grid-cols-3" />
      {runners && now.outs < 2 && <Options options={WITH_RUNNERS} onChoose={choose} className="grid-cols-2" />}
      {runners && now.outs === 2 && (
        <Options options={WITH_RUNNERS.slice(1)} onChoose={choose} className="grid-cols-1" />
      )}
      <More title="More for the batter" options={ODD} onChoose={choose} />
      {runners && <More title="Runners" options={RUNNERS} onChoose={choose} />}
    </div>
  )
}

type OptionsProps = { options: readonly Option[]; onChoose: (kind: Kind) => void; className: string; strong?: boolean }

function Options({ options, onChoose, className, strong = false }: OptionsProps) {
  return (
    <div className={cn('grid gap-2', className)}>
      {options.map(([kind, name]) => (
        <Button
          key={kind}
          variant={strong ? 'default' : 'outline'}
          className="h-14 px-1 text-base whitespace-normal"
          onClick={() => onChoose(kind)}
        >
          {name}
        </Button>
      ))}
    </div>
  )
}

function More({ title, ...props }: { title: string; options: readonly Option[]; onChoose: (kind: Kind) => void }) {
  return (
    <details className="rounded-lg border border-border bg-card">
      <summary className="cursor-pointer px-4 py-3.5 font-medium">{title}</summary>
      <div className="px-2 pb-2">
        <Options {...props} className="grid-cols-2" />
      </div>
    </details>
  )
}

type ConfirmProps = {
  draft: Draft
  now: Standing
  name: (id: string) => string
  onChange: (draft: Draft) => void
  onSave: () => Promise<void>
  onBack: () => void
}

function Confirm({ draft, now, name, onChange, onSave, onBack }: ConfirmProps) {
  const [busy, setBusy] = useState(false)
  const problem = problemOf(draft, now)
  const outcome = outcomeOf(draft, now)
  const said = words({ record: recordOf(draft, now), outcome }, name)
  const save = async () => {
    setBusy(true)
    try {
      await onSave()
    } finally {
      setBusy(false)
    }
  }
  const origins = ([3, 2, 1, 0] as const).filter((from) => draft.ends[from] !== undefined)
  return (
    <div className="grid gap-4">
      {(needsFielders(draft.kind) || takesPlace(draft.kind)) && (
        <Fielders
          legend={takesPlace(draft.kind) ? 'Hit to' : 'Fielded by, in order'}
          chosen={draft.fielders}
          single={takesPlace(draft.kind) || draft.kind === 'error'}
          onChange={(fielders) => onChange({ ...draft, fielders })}
        />
      )}
      {origins.map((from) => (
        <Ending
          key={from}
          from={from}
          who={name((from === 0 ? now.batter : now.bases[from - 1]) ?? '')}
          end={draft.ends[from] ?? 'out'}
          running={isRunning(draft.kind)}
          onChange={(end) => onChange({ ...draft, ends: { ...draft.ends, [from]: end } })}
        />
      ))}
      {advancesOut(draft).length > 0 && (
        <Fielders
          legend="Runner put out by, in order"
          chosen={draft.putOutBy}
          onChange={(putOutBy) => onChange({ ...draft, putOutBy })}
        />
      )}
      <div className="sticky bottom-0 grid gap-3 border-t border-border bg-background py-3">
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
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1.5 text-sm">
        <span className="font-semibold">{who}</span>{' '}
        <span className="text-muted-foreground">{from === 0 ? 'batter' : `on ${BASE_NAMES[from]}`}</span>
      </legend>
      <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-xl bg-muted p-1">
        {ends.map((one) => (
          <Button
            key={one}
            variant={one === end ? 'default' : 'ghost'}
            className="h-12 px-1"
            aria-pressed={one === end}
            onClick={() => onChange(one)}
          >
            {one === 'out' ? 'Out' : BASE_NAMES[one]}
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
