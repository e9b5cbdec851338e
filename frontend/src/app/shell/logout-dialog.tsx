import { useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { useUnsavedChanges } from '@/lib/unsaved-changes'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'

type LogoutDialogProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Where the focus goes back to. */
  opener: RefObject<HTMLElement | null>
}

/** Section 2, "Logout dialog", in both its forms. */
export default function LogoutDialog({ open, onOpenChange, opener }: LogoutDialogProps) {
  const { signOut } = useSession()
  const navigate = useNavigate()
  const [leaving, setLeaving] = useState(false)
  const unsaved = useUnsavedChanges()
  const dirty = unsaved.length > 0

  async function logout() {
    setLeaving(true)
    await signOut()
    await navigate(paths.home)
  }

  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent
        role="alertdialog"
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          opener.current?.focus()
        }}
      >
        <div className="grid gap-2">
          <DialogTitle>{dirty ? 'Unsaved Changes Detected' : 'Confirm Logout'}</DialogTitle>
          <DialogDescription>Are you sure you want to log out?</DialogDescription>
        </div>
        {dirty && (
          <ul className="list-disc space-y-1 rounded-lg bg-accent-soft py-3 pr-4 pl-8 text-sm">
            {unsaved.map(({ id, description, location }) => (
              <li key={id}>
                {description} <span className="text-muted-foreground">({location})</span>
              </li>
            ))}
          </ul>
        )}
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button variant={dirty ? 'destructive' : 'default'} disabled={leaving} onClick={logout}>
            {dirty ? 'Logout Without Saving' : 'Logout'}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
