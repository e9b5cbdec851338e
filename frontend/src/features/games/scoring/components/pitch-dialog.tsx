import { useRef, useState, type SubmitEvent } from 'react'
import { REASON_LENGTH } from '@/data/games/overrides'
import type { PitchWarning } from '@/features/games/scoring/pitch-limits'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Textarea } from '@/ui/textarea'

type PitchDialogProps = {
  warning: PitchWarning
  onClose: () => void
  /** Another pitcher is wanted. */
  onChange: () => void
  /** Resolves to false if the reason could not be kept. */
  onContinue: (reason: string) => Promise<boolean>
}

/**
 * Asks whether another pitcher enters, or for the reason to continue. Not loaded on demand, because the scorebook works offline.
 */
export function PitchDialog({ warning, onClose, onChange, onContinue }: PitchDialogProps) {
  const change = useRef<HTMLButtonElement>(null)
  const [reason, setReason] = useState('')
  const [problem, setProblem] = useState('')
  const [busy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (reason.trim() === '') {
      setProblem('Give a reason to continue.')
      document.getElementById('pitch-reason')?.focus()
      return
    }
    setBusy(true)
    if (!(await onContinue(reason.trim()))) setProblem('This browser could not store the reason.')
    setBusy(false)
  }
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent
        role="alertdialog"
        onOpenAutoFocus={(event) => {
          event.preventDefault()
          change.current?.focus()
        }}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <div className="grid gap-2">
          <DialogTitle>{warning.rule === 'rest' ? 'Rest is not over' : 'Pitch limit reached'}</DialogTitle>
          <DialogDescription className="wrap-anywhere">{warning.text}</DialogDescription>
        </div>
        <Button ref={change} size="lg" onClick={onChange}>
          Change the pitcher
        </Button>
        <form noValidate className="grid gap-3 border-t border-border pt-5" onSubmit={(event) => void submit(event)}>
          <Field id="pitch-reason" label="Reason to continue" error={problem} help="It is kept in the audit log.">
            <Textarea
              {...described('pitch-reason', problem, 'help')}
              className="min-h-20"
              maxLength={REASON_LENGTH}
              value={reason}
              onChange={({ target }) => {
                setReason(target.value)
                setProblem('')
              }}
            />
          </Field>
          <Button type="submit" variant="outline" size="lg" disabled={busy}>
            Continue anyway
          </Button>
        </form>
      </DialogContent>
    </Dialog>
  )
}
