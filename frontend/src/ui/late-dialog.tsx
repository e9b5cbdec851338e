import { Slot } from 'radix-ui'
import { Suspense, useEffect, useState, type ReactNode } from 'react'
import { whenQuiet } from '@/lib/when-quiet'
import { openWhenLoaded } from '@/ui/open-when-loaded'

/** What a dialog without a trigger of its own needs. */
export type DialogControl = {
  open: boolean
  onOpenChange: (open: boolean) => void
  onCloseAutoFocus: (event: Event) => void
}

type LateDialogProps = {
  /** The button that opens it. */
  trigger: ReactNode
  /** Loads the dialog's module. */
  load: () => Promise<unknown>
  children: (control: DialogControl) => ReactNode
}

/** A button whose dialog is loaded apart from the screen, which is drawn sooner without it. */
export function LateDialog({ trigger, load, children }: LateDialogProps) {
  const [state, setState] = useState<'unopened' | 'open' | 'closed'>('unopened')
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  useEffect(() => whenQuiet(load), [load])
  const open = state === 'open'
  const control = {
    open,
    onOpenChange: (open: boolean) => setState(open ? 'open' : 'closed'),
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      opener?.focus()
    },
  }
  return (
    <>
      <Slot.Root
        ref={setOpener}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => void openWhenLoaded(load, () => setState('open'))}
      >
        {trigger}
      </Slot.Root>
      {state !== 'unopened' && <Suspense>{children(control)}</Suspense>}
    </>
  )
}
