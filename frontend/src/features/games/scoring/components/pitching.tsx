import { TriangleAlert } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { PitchDialog } from '@/features/games/scoring/components/pitch-dialog'
import { countWords, noteOf, type Pitcher, type PitchWarning } from '@/features/games/scoring/pitch-limits'
import type { BookState, Scorebook } from '@/features/games/scoring/scorebook'
import { Button } from '@/ui/button'

/** The batter and the pitcher, with the pitcher's pitches of the day. */
export function Matchup({ batter, pitcher }: { batter: string; pitcher: Pitcher }) {
  const [count, note] = [countWords(pitcher), noteOf(pitcher)]
  return (
    <div className="grid justify-items-start gap-1.5">
      <p>
        <span className="font-semibold">{batter}</span> bats against{' '}
        <span className="font-semibold">{pitcher.name}</span>
        {count && <span className="text-muted-foreground tabular-nums">{` · ${count}`}</span>}
      </p>
      <div aria-live="polite">
        {note && (
          <p className="flex items-center gap-1.5 rounded-md bg-accent-soft px-2 py-1 text-sm font-semibold text-warning">
            <TriangleAlert aria-hidden className="size-4 shrink-0" />
            {note}
          </p>
        )}
      </div>
    </div>
  )
}

type PitchStopProps = {
  warning: PitchWarning
  onChange: () => void
  onContinue: (reason: string) => Promise<boolean>
}

/**
 * Replaces the entry of the next play until the coach has decided. The dialog opens by itself. After closing it, the scorer can
 * still end the half-inning or the game.
 */
export function PitchStop({ warning, onChange, onContinue }: PitchStopProps) {
  const [open, setOpen] = useState(true)
  return (
    <div className="grid gap-3 rounded-xl bg-accent-soft p-4">
      <p className="wrap-anywhere">{warning.text}</p>
      <div className="flex flex-wrap gap-3">
        <Button size="lg" onClick={onChange}>
          Change the pitcher
        </Button>
        <Button size="lg" variant="outline" onClick={() => setOpen(true)}>
          Continue anyway
        </Button>
      </div>
      {open && (
        <PitchDialog warning={warning} onClose={() => setOpen(false)} onChange={onChange} onContinue={onContinue} />
      )}
    </div>
  )
}

type EntryCheckProps = {
  /** Why the new pitcher should not pitch. Null closes the dialog. */
  warning: PitchWarning | null
  onClose: () => void
  onContinue: (warning: PitchWarning, reason: string) => Promise<boolean>
}

/** Warns before a pitcher enters. Choosing another pitcher leads back to the form. */
export function EntryCheck({ warning, onClose, onContinue }: EntryCheckProps): ReactNode {
  if (!warning) return null
  return (
    <PitchDialog
      key={warning.rule}
      warning={warning}
      onClose={onClose}
      onChange={onClose}
      onContinue={(reason) => onContinue(warning, reason)}
    />
  )
}

/** Shows an override that the server refused to log. The reason stays on this device until the scorer retries or discards it. */
export function Unlogged({ book, state }: { book: Scorebook; state: BookState }) {
  if (!state.unlogged) return null
  return (
    <div role="alert" className="grid gap-3 rounded-xl bg-accent-soft p-4">
      <p>The reason for a pitcher to continue is kept on this device only. {state.unlogged}</p>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => void book.insistOnOverride()}>
          Try again
        </Button>
        <Button variant="ghost" onClick={() => void book.discardOverride()}>
          Discard the reason
        </Button>
      </div>
    </div>
  )
}
