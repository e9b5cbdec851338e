import { Button } from '@/ui/button'
import type { ConfirmProps } from '@/ui/confirm-dialog'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import type { DialogControl } from '@/ui/late-dialog'

/** The dialog of a question; see confirm-dialog.tsx. */
export default function ConfirmContent(props: ConfirmProps & DialogControl) {
  const { open, onOpenChange, onCloseAutoFocus, title, text, action, working, pending, onConfirm } = props
  const close = () => onOpenChange(false)
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent role="alertdialog" onCloseAutoFocus={onCloseAutoFocus}>
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
