import { useState } from 'react'
import { BirthDateQuestion } from '@/ui/birth-date-question'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Dialog, DialogContent, DialogDescription, DialogTitle, DialogTrigger, SheetContent } from '@/ui/dialog'
import { PictureDialog } from '@/ui/picture-dialog'
import { Popover, PopoverAnchor, PopoverContent } from '@/ui/popover'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { toast, type ToastVariant } from '@/ui/toast/toast-state'
import { Shown, State } from '@/design/shown'

const VARIANTS: readonly ToastVariant[] = ['default', 'destructive', 'success', 'error', 'warning', 'info']
const done = () => Promise.resolve()

/** Toasts, dialogs and menus. */
export function Floating() {
  return (
    <>
      <Shown name="Toast">
        <State name="by variant">
          {VARIANTS.map((variant) => (
            <Button
              key={variant}
              variant="outline"
              onClick={() =>
                toast({ variant, title: `A toast: ${variant}`, description: 'What happened, and what to do.' })
              }
            >
              {variant}
            </Button>
          ))}
          <Button
            variant="outline"
            onClick={() =>
              toast({
                variant: 'success',
                title: 'A toast with a button',
                button: { label: 'Undo', otherwise: 'There is nothing to undo here.', onPress: () => undefined },
              })
            }
          >
            with a button
          </Button>
        </State>
      </Shown>
      <Dialogs />
      <Popovers />
    </>
  )
}

function Dialogs() {
  return (
    <Shown name="Dialogs">
      <State name="dialog, sheet, question, birth date, removal, record, picture">
        <Dialog>
          <DialogTrigger asChild>
            <Button variant="outline">Dialog</Button>
          </DialogTrigger>
          <DialogContent>
            <DialogTitle>A dialog</DialogTitle>
            <DialogDescription>It says what it is about.</DialogDescription>
            <Button>Go on</Button>
          </DialogContent>
        </Dialog>
        <Dialog>
          <DialogTrigger asChild>
            <Button variant="outline">Sheet</Button>
          </DialogTrigger>
          <SheetContent side="left" className="p-6">
            <DialogTitle>A sheet</DialogTitle>
          </SheetContent>
        </Dialog>
        <ConfirmDialog
          trigger={<Button variant="outline">Question</Button>}
          title="Leave the team?"
          text="The coach is told."
          action="Leave"
          working="Leaving…"
          pending={false}
          onConfirm={done}
        />
        <BirthDate />
        <RemovalDialog name="this record" text="It is taken out." pending={false} onRemove={done} />
        <RecordDialog
          trigger={<Button variant="outline">Record</Button>}
          title="Add a measurement"
          text="A coach can verify it."
          fields={[
            { name: 'kind', label: 'What', options: [['exit', 'Exit velocity']] },
            { name: 'value', label: 'Value', type: 'number', help: 'In miles an hour' },
            { name: 'notes', label: 'Notes', hint: 'optional', type: 'textarea' },
          ]}
          schema={async () => (await import('@/design/schema')).schema}
          defaults={{ kind: 'exit', value: '', notes: '' }}
          draft="design"
          location="Design"
          onSave={done}
        />
        <PictureDialog
          trigger={<Button variant="outline">Picture</Button>}
          title="Add a photo"
          text="Cut it to the face."
          shape="face"
          outputs={[]}
          onSave={done}
        />
      </State>
    </Shown>
  )
}

function BirthDate() {
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <>
      <Button variant="outline" onClick={() => setAsked('2010-05-04')}>
        Birth date
      </Button>
      <BirthDateQuestion
        birthDate={asked}
        whom="Ann"
        consequence="It cannot be changed later."
        onBack={() => setAsked(null)}
        onConfirm={() => setAsked(null)}
      />
    </>
  )
}

function Popovers() {
  const [open, setOpen] = useState(false)
  return (
    <Shown name="Popover">
      <State name="closed, open">
        <Popover open={open} onOpenChange={setOpen}>
          <PopoverAnchor asChild>
            <Button variant="outline" onClick={() => setOpen(!open)}>
              Popover
            </Button>
          </PopoverAnchor>
          <PopoverContent aria-label="A popover" className="w-60 p-4">
            What stands in it.
          </PopoverContent>
        </Popover>
      </State>
    </Shown>
  )
}
