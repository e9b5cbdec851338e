import { useState, type ReactNode } from 'react'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'

type ConfirmDialogProps = {
  /** The button that opens it. */
  trigger: ReactNode
  title: string
  text: string
  /** What its button says, before and while it works. */
  action: string
  working: string
  pending: boolean
  onConfirm: () => Promise<unknown>
}

/** Asks whether something that cannot be undone is meant; closes once it is done or has failed, which the caller tells. */
export function ConfirmDialog({ trigger, title, text, action, working, pending, onConfirm }: ConfirmDialogProps) {
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle className="wrap-anywhere">{title}</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button variant="destructive" disabled={pending} onClick={() => void onConfirm().then(close, close)}>
            {pending ? working : action}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
