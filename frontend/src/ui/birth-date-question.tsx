import { day } from '@/lib/format'
import { ageOn } from '@/lib/minors'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'

type BirthDateQuestionProps = {
  /** The date to confirm; the dialog is open unless this is null. */
  birthDate: string | null
  /** Who was born then, as in "That makes you 12 years old". */
  whom: string
  /** What follows from the date, a sentence. */
  consequence: string
  /** What the button says, and whether it warns. */
  action?: string
  destructive?: boolean
  onBack: () => void
  onConfirm: (birthDate: string) => void
}

/** Shows a birth date and the age that follows from it before it is saved, because it cannot simply be changed later. */
export function BirthDateQuestion(props: BirthDateQuestionProps) {
  const { birthDate, whom, consequence, action = 'Yes, save', destructive = false, onBack, onConfirm } = props
  if (birthDate === null) return null
  const years = ageOn(birthDate)
  return (
    <Dialog open onOpenChange={onBack}>
      <DialogContent role="alertdialog">
        <div className="grid gap-2">
          <DialogTitle>Born {day(birthDate)}?</DialogTitle>
          <DialogDescription className="wrap-anywhere">
            That makes {whom} {years} {years === 1 ? 'year' : 'years'} old. {consequence}
          </DialogDescription>
        </div>
        <div className="flex flex-wrap justify-end gap-3">
          <DialogClose asChild>
            <Button variant="outline">Change</Button>
          </DialogClose>
          <Button
            variant={destructive ? 'destructive' : 'default'}
            onClick={() => {
              onBack()
              onConfirm(birthDate)
            }}
          >
            {action}
          </Button>
        </div>
      </DialogContent>
    </Dialog>
  )
}
