import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { Button } from '@/ui/button'
import { DialogClose } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { nameSchema } from '@/features/settings/model'

type NameFormProps = {
  /** Under which the name is kept until it is sent, and what it is the name of. */
  draft: { id: string; description: string }
  /** The initial name. */
  name: string
  submit: string
  pending: boolean
  /** Why the last attempt failed. */
  problem: string | null
  onSubmit: (name: string) => Promise<unknown>
}

/** Asks for the name of a new factor or passkey. */
export function NameForm({ draft, name, submit, pending, problem, onSubmit }: NameFormProps) {
  const id = useId()
  const form = useForm({
    defaultValues: { name },
    resolver: zodResolver(nameSchema),
  })
  useDraft({ id: draft.id, description: draft.description, location: 'Settings' }, form)
  const { register, handleSubmit, reset, formState } = form
  const invalid = formState.errors.name?.message
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit(({ name }) =>
        onSubmit(name).then(
          () => forgetDraft(draft.id),
          () => undefined,
        ),
      )}
    >
      <Field id={id} label="Name">
        <Input
          id={id}
          autoComplete="off"
          autoFocus
          aria-required
          aria-invalid={Boolean(invalid)}
          aria-describedby={`${id}-problem`}
          {...register('name')}
        />
      </Field>
      <p id={`${id}-problem`} role="alert" className="text-sm text-destructive empty:hidden">
        {invalid ?? problem}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline" onClick={() => reset()}>
            Cancel
          </Button>
        </DialogClose>
        <Button type="submit" disabled={pending}>
          {pending ? 'One moment…' : submit}
        </Button>
      </div>
    </form>
  )
}
