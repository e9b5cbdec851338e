import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, type Resolver, type UseFormRegisterReturn } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { UNREACHABLE } from '@/lib/errors'
import { explain } from '@/lib/explain'
import { hasNotArrived } from '@/lib/lazy-screen'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import type { DialogControl } from '@/ui/late-dialog'
import { FieldProblem, type RecordField, type RecordProps, type Texts } from '@/ui/record-dialog'
import { Select } from '@/ui/select'
import { Textarea } from '@/ui/textarea'

/** The dialog of a record; see record-dialog.tsx. */
export default function RecordForm(props: RecordProps<unknown> & DialogControl) {
  const { open, onOpenChange, onCloseAutoFocus, title, text } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-xl" onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <Fields {...props} onSaved={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function Fields(props: RecordProps<unknown> & { onSaved: () => void }) {
  const { title, fields, schema, defaults, draft, location, submit: verb = 'Save', onSave, onSaved } = props
  const form = useForm<Texts, unknown, unknown>({ resolver: resolverOf(schema), defaultValues: defaults })
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
      {fields.map((field) => (
        <OneField
          key={field.name}
          field={field}
          error={errors[field.name]?.message}
          control={form.register(field.name)}
        />
      ))}
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

type OneFieldProps = { field: RecordField; error: string | undefined; control: UseFormRegisterReturn }

function OneField({ field, error, control: registered }: OneFieldProps) {
  const { name, label, hint, help, type = 'text', options, wide } = field
  const id = `record-${name}`
  const control = { ...described(id, error, help), ...registered }
  return (
    <Field
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
}

/** Loads the schema and checks with it. Without a connection the form says so and keeps what was typed. */
function resolverOf(schema: RecordProps<unknown>['schema']): Resolver<Texts, unknown, unknown> {
  return async (values, context, options) => {
    try {
      return await zodResolver(await schema())(values, context, options)
    } catch (error) {
      if (!hasNotArrived(error)) throw error
      return { values: {}, errors: { root: { type: 'load', message: UNREACHABLE } } }
    }
  }
}
