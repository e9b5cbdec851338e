import { zodResolver } from '@hookform/resolvers/zod'
import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { useDraft } from '@/lib/draft'
import { explain } from '@/lib/errors'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { Textarea } from '@/ui/textarea'

type Texts = Record<string, string>

export type RecordField = {
  name: string
  label: string
  hint?: string
  help?: string
  type?: 'text' | 'number' | 'date' | 'url' | 'textarea'
  /** Makes it a choice: value and label. */
  options?: readonly (readonly [string, string])[]
  /** Takes the whole line. */
  wide?: boolean
}

/** Thrown by `onSave` where it is one field that the server did not take. */
export class FieldProblem extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

type RecordDialogProps<Output> = {
  /** The button that opens it. */
  trigger: ReactNode
  title: string
  text: string
  fields: readonly RecordField[]
  schema: z.ZodType<Output, Texts>
  defaults: Texts
  /** Under which what is typed is kept; it names the owner and the record. */
  draft: string
  /** Where the form is, for the logout dialog. */
  location: string
  /** What the button says; 'Save' unless told. */
  submit?: string
  onSave: (values: Output) => Promise<unknown>
}

/** One record of something, entered or changed: fields, each with its problem next to it. */
export function RecordDialog<Output>({ trigger, title, text, ...form }: RecordDialogProps<Output>) {
  const [open, setOpen] = useState(false)
  return (
    <Dialog open={open} onOpenChange={setOpen}>
      <DialogTrigger asChild>{trigger}</DialogTrigger>
      <DialogContent className="max-w-xl">
        <div className="grid gap-2">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <RecordForm {...form} title={title} onSaved={() => setOpen(false)} />
      </DialogContent>
    </Dialog>
  )
}

type RecordFormProps<Output> = Omit<RecordDialogProps<Output>, 'trigger' | 'text'> & { onSaved: () => void }

function RecordForm<Output>(props: RecordFormProps<Output>) {
  const { title, fields, schema, defaults, draft, location, submit: verb = 'Save', onSave, onSaved } = props
  const form = useForm<Texts, unknown, Output>({ resolver: zodResolver(schema), defaultValues: defaults })
  useDraft({ id: draft, description: title, location }, form)
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (values) => {
    try {
      await onSave(values)
      form.reset(form.getValues())
      onSaved()
    } catch (error) {
      if (error instanceof FieldProblem) form.setError(error.field, { message: error.message }, { shouldFocus: true })
      else form.setError('root', { message: explain(error, 'That was not saved. Please try again.') })
    }
  })
  return (
    <form noValidate className="grid gap-4 sm:grid-cols-2" onSubmit={submit}>
      {fields.map(({ name, label, hint, help, type = 'text', options, wide }) => {
        const error = errors[name]?.message
        const id = `record-${name}`
        const control = { ...described(id, error, help), ...form.register(name) }
        return (
          <Field
            key={name}
            id={id}
            label={label}
            hint={hint}
            help={help}
            error={error}
            className={wide || type === 'textarea' ? 'sm:col-span-2' : undefined}
          >
            {options ? (
              <Select {...control}>
                {options.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </Select>
            ) : type === 'textarea' ? (
              <Textarea {...control} />
            ) : (
              <Input
                type={type === 'number' ? 'text' : type}
                inputMode={type === 'number' ? 'decimal' : undefined}
                {...control}
              />
            )}
          </Field>
        )
      })}
      {errors.root && (
        <p role="alert" className="text-sm text-destructive sm:col-span-2">
          {errors.root.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3 sm:col-span-2">
        <DialogClose asChild>
          {/* Closing it in another way keeps what is typed. */}
          <Button variant="outline" onClick={() => form.reset(defaults)}>
            Cancel
          </Button>
        </DialogClose>
        <Button type="submit" disabled={isSubmitting}>
          {isSubmitting ? 'One moment…' : verb}
        </Button>
      </div>
    </form>
  )
}
