import { Trash2 } from 'lucide-react'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'

type RemovalDialogProps = { name: string; text: string; pending: boolean; onRemove: () => Promise<unknown> }

/** A button that asks before it removes. */
export function RemovalDialog({ name, text, pending, onRemove }: RemovalDialogProps) {
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Remove ${name}`}>
          <Trash2 aria-hidden />
        </Button>
      }
      title={`Remove ${name}?`}
      text={text}
      action="Remove"
      working="Removing…"
      pending={pending}
      onConfirm={onRemove}
    />
  )
}
