import { Check, ChevronLeft } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Choice, Fielders } from '@/features/games/scoring/components/choices'
import { FieldMap } from '@/features/games/scoring/components/field-map'
import { RunnerDiamond } from '@/features/games/scoring/components/runner-diamond'
import { WildThrow } from '@/features/games/scoring/components/wild-throw'
import { outcomeOf, problemOf, recordOf } from '@/features/games/scoring/compose'
import {
  hasOneFielder,
  isBatted,
  isRunning,
  needsBesides,
  needsFielders,
  takesPlace,
  type Besides,
  type Draft,
  type End,
  type Origin,
} from '@/features/games/scoring/kinds'
import { advancesOut, eventOf } from '@/features/games/scoring/notation'
import type { Standing } from '@/features/games/scoring/standing'
import { words } from '@/features/games/words'
import { Button } from '@/ui/button'

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
  const problem = problemOf(draft, now)
  const outcome = outcomeOf(draft, now)
  const said = words({ record: recordOf(draft, now, pitches), outcome }, name)
  const origins = ([3, 2, 1, 0] as const).filter((from) => draft.ends[from] !== undefined)
  const who = (from: Origin) => name((from === 0 ? now.batter : now.bases[from - 1]) ?? '')
  const end = (from: Origin, end: End) => onChange({ ...draft, ends: { ...draft.ends, [from]: end } })
  return (
    <div className="grid gap-4">
      <Fielding draft={draft} onChange={onChange} />
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
      {advancesOut(draft).length > 0 && draft.kind !== 'appeal' && (
        <Fielders
          legend="Runner put out by, in order"
          chosen={draft.putOutBy}
          onChange={(putOutBy) => onChange({ ...draft, putOutBy })}
        />
      )}
      <Appeal draft={draft} onChange={onChange} />
      <WildThrow draft={draft} who={who} onChange={onChange} />
      {needsBesides(draft) && (
        <Choice
          legend="How the runner moved"
          options={draft.kind === 'dropped_third' ? BESIDES.slice(1) : BESIDES}
          chosen={draft.besides}
          onChoose={(besides) => onChange({ ...draft, besides })}
        />
      )}
      <Confirmation problem={problem} onSave={onSave} onBack={onBack}>
        <span className="font-semibold">{said.title}.</span> {said.detail && `${said.detail}.`}{' '}
        <code className="text-sm text-muted-foreground">{eventOf(draft, now.outs)}</code>
      </Confirmation>
    </div>
  )
}

type DraftProps = { draft: Draft; onChange: (draft: Draft) => void }

/** Where a batted ball came down, and who fielded it. */
function Fielding({ draft, onChange }: DraftProps) {
  return (
    <>
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
          legend={legendOf(draft)}
          chosen={draft.fielders}
          single={hasOneFielder(draft.kind)}
          onChange={(fielders) => onChange({ ...draft, fielders })}
        />
      )}
    </>
  )
}

const ONE_ERROR = ['error', 'throwing_error', 'sacrifice_fly_error', 'sacrifice_hit_error', 'foul_error']
const LAST_ERROR = ['dropped_throw', 'strikeout_error', 'caught_error', 'pickoff_error']

function legendOf({ kind }: Draft): string {
  if (takesPlace(kind)) return 'Hit to'
  if (ONE_ERROR.includes(kind)) return 'Error by'
  if (kind.startsWith('obstruction')) return 'Obstruction by'
  return LAST_ERROR.includes(kind) ? 'Thrown by, in order, the error last' : 'Fielded by, in order'
}

type ConfirmationProps = {
  problem: string | null
  onSave: () => Promise<void>
  onBack: () => void
  /** The play in words, shown if nothing is wrong with it. */
  children: ReactNode
}

function Confirmation({ problem, onSave, onBack, children }: ConfirmationProps) {
  const [busy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await onSave()
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="sticky bottom-16 grid gap-3 border-t border-border bg-background py-3">
      <p role="status">{problem ?? children}</p>
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
  )
}

/** Marks that a runner is out on appeal, which allows a fourth out. */
function Appeal({ draft, onChange }: DraftProps) {
  const { kind, appeal = false } = draft
  if (!appeal && (!isBatted(kind) || kind === 'appeal_fly' || advancesOut(draft).length === 0)) return null
  return (
    <Button
      variant={appeal ? 'default' : 'outline'}
      className="h-12"
      aria-pressed={appeal}
      onClick={() => onChange({ ...draft, appeal: !appeal })}
    >
      The runner is out on appeal
    </Button>
  )
}

const BASE_NAMES = ['Batter', '1st', '2nd', '3rd', 'Home'] as const

type EndingProps = { from: Origin; who: string; end: End; running: boolean; onChange: (end: End) => void }

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
