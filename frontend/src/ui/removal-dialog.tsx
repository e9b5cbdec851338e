import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'

type RemovalDialogProps = { name: string; text: string; pending: boolean; onRemove: () => Promise<unknown> }

/** A button that asks before it removes. */
export function RemovalDialog({ name, text, pending, onRemove }: RemovalDialogProps) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      </DialogTrigger>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle className="wrap-anywhere">Remove {name}?</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button
            variant="destructive"
            disabled={pending}
            onClick={() =>
              void onRemove().then(
                () => setOpen(false),
                () => setOpen(false),
              )
            }
          >
            {pending ? 'Removing…' : 'Remove'}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
