import { zodResolver } from '@hookform/resolvers/zod'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { Button } from '@/ui/button'
import { DialogClose } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { nameSchema } from '@/features/settings/model'

type NameFormProps = {
  /** What stands there at first. */
  name: string
  submit: string
  pending: boolean
  /** Why the last attempt failed. */
  problem: string | null
  onSubmit: (name: string) => void
}

/** What shall this be called? The first step of whatever is added. */
export function NameForm({ name, submit, pending, problem, onSubmit }: NameFormProps) {
  const id = useId()
  const { register, handleSubmit, formState } = useForm({
    defaultValues: { name },
    resolver: zodResolver(nameSchema),
  })
  const invalid = formState.errors.name?.message
  return (
    <form noValidate className="grid gap-5" onSubmit={handleSubmit(({ name }) => onSubmit(name))}>
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
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={pending}>
          {pending ? 'One moment…' : submit}
        </Button>
      </div>
    </form>
  )
}
