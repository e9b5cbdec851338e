import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import type { DialogControl } from '@/ui/late-dialog'

/** What visitors who report something are shown. */
export default function SignInFirst({ open, onOpenChange, onCloseAutoFocus }: DialogControl) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>Sign in to report this</DialogTitle>
          <DialogDescription>So that we can ask you when something is not clear to us.</DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Cancel</Button>
          </DialogClose>
          <Button asChild>
            <Link to={paths.signIn}>Sign In</Link>
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
