import type { ReactNode } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { LateDialog } from '@/ui/late-dialog'

export type ConfirmProps = {
  title: string
  text: string
  /** What its button says, before and while it works. */
  action: string
  working: string
  pending: boolean
  onConfirm: () => Promise<unknown>
}

type ConfirmDialogProps = ConfirmProps & {
  /** The button that opens it. */
  trigger: ReactNode
}

const load = () => import('@/ui/confirm-content')
const ConfirmContent = lazyScreen(load)

/** Asks whether something that cannot be undone is meant; closes once it is done or has failed, which the caller tells. */
export function ConfirmDialog({ trigger, ...question }: ConfirmDialogProps) {
  return (
    <LateDialog trigger={trigger} load={load}>
      {(control) => <ConfirmContent {...question} {...control} />}
    </LateDialog>
  )
}
