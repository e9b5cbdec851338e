import { zodResolver } from '@hookform/resolvers/zod'
import { CalendarDays } from 'lucide-react'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { ADULT_AGE, type Ward } from '@/lib/minors'
import { BirthDateQuestion } from '@/ui/birth-date-question'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { isAdult } from '@/features/guardians/model'
import { birthDateSchema } from '@/features/guardians/schemas'
import { useCorrectBirthDate } from '@/data/guardians/mutations'

/** Corrects a ward's birth date, after a question. The dialog warns that an adult's date ends the guardianship. */
export function BirthDateDialog({ ward }: { ward: Ward }) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <CalendarDays aria-hidden />
          Correct the birth date
        </Button>
      </DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Correct the birth date</DialogTitle>
          <DialogDescription>
            Of {ward.full_name}. It is never shown to others; what they may see goes by it. A date before the one that
            was told first needs our help: write to us by the contact form.
          </DialogDescription>
        </div>
        <BirthDateForm ward={ward} onSaved={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  )
}

function BirthDateForm({ ward, onSaved }: { ward: Ward; onSaved: () => void }) {
  const { ward_id, birth_date, full_name } = ward
  const form = useForm({
    resolver: zodResolver(birthDateSchema),
    defaultValues: { birth_date: birth_date ?? '' },
  })
  const draft = `ward-birth-date:${ward_id}`
  useDraft({ id: draft, description: `The birth date of ${full_name}`, location: 'Player Profile' }, form)
  const correct = useCorrectBirthDate(() => {
    forgetDraft(draft)
    onSaved()
  })
  const error = form.formState.errors.birth_date?.message ?? correct.problem
  const ending = isAdult(useWatch({ control: form.control, name: 'birth_date' }))
  const [asked, ask] = useState<string | null>(null)
  return (
    <form noValidate className="grid gap-5" onSubmit={form.handleSubmit(({ birth_date }) => ask(birth_date))}>
      <Field id="ward-birth-date" label="Birth date" error={error}>
        <Input type="date" {...described('ward-birth-date', error)} {...form.register('birth_date')} />
      </Field>
      {ending && (
        <p role="status" className="rounded-xl bg-accent-soft p-4 text-sm">
          Somebody born on that day is {ADULT_AGE} or older and has no guardian. You cannot undo this.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button type="submit" variant={ending ? 'destructive' : 'default'} disabled={correct.isPending}>
          {correct.isPending ? 'Saving…' : ending ? 'Save and end my guardianship' : 'Save'}
        </Button>
      </div>
      <BirthDateQuestion
        birthDate={asked}
        whom={full_name}
        consequence={
          ending
            ? 'Saving ends your guardianship. You cannot undo this.'
            : 'Others see the profile by the rules of that age.'
        }
        action={ending ? 'Yes, end my guardianship' : undefined}
        destructive={ending}
        onBack={() => ask(null)}
        onConfirm={(birth_date) => correct.mutate({ ward_id, birth_date })}
      />
    </form>
  )
}
