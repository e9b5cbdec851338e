import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useDeferredValue, useId } from 'react'
import { useForm, useWatch, type UseFormRegisterReturn } from 'react-hook-form'
import { z } from 'zod'
import { explain } from '@/lib/explain'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import type { DialogControl } from '@/ui/late-dialog'
import { Empty, Problem } from '@/ui/section'
import { Spinner } from '@/ui/spinner'
import type { ChoiceProps } from '@/features/teams/components/choice-dialog'
import type { Choice } from '@/data/teams/queries'

/** Letters before which too many names would fit. */
const ENOUGH = 2
const HELP = `Type ${ENOUGH} letters or more.`

/** The dialog of a choice; see choice-dialog.tsx. */
export default function ChoiceForm(props: ChoiceProps & DialogControl) {
  const { open, onOpenChange, onCloseAutoFocus, title, text } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent className="max-w-lg" onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>{title}</DialogTitle>
          <DialogDescription>{text}</DialogDescription>
        </div>
        <Fields {...props} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

/** The error of a missing choice is shown at the search field, where it is corrected. */
const choiceSchema = z
  .object({
    search: z.string(),
    chosen: z.string().nullish(),
    jersey: z
      .string()
      .trim()
      .regex(/^\d{0,2}$/, 'Please enter one or two digits.'),
  })
  .refine(({ chosen }) => Boolean(chosen), { path: ['search'], message: 'Please choose one from the list.' })

function Fields(props: ChoiceProps & { onDone: () => void }) {
  const { label, action, jersey, search, onChoose, onDone } = props
  const id = useId()
  const form = useForm({
    resolver: zodResolver(choiceSchema),
    defaultValues: { search: '', chosen: null, jersey: '' },
  })
  const { errors, isSubmitting } = form.formState
  const wanted = useDeferredValue(useWatch({ control: form.control, name: 'search' }).trim())
  const query = useQuery({ ...search(wanted), enabled: wanted.length >= ENOUGH })
  const submit = form.handleSubmit(async (values) => {
    try {
      await onChoose(values.chosen ?? '', values.jersey)
      onDone()
    } catch (error) {
      form.setError('root', { message: explain(error, 'That did not work. Please try again.') })
    }
  })
  const [searchId, jerseyId] = [`${id}-search`, `${id}-jersey`]
  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      <Field id={searchId} label={label} error={errors.search?.message} help={HELP}>
        <Input
          type="search"
          autoComplete="off"
          {...described(searchId, errors.search?.message, HELP)}
          {...form.register('search', { onChange: () => form.setValue('chosen', null) })}
        />
      </Field>
      {wanted.length >= ENOUGH && (
        <Found query={query} field={form.register('chosen', { onChange: () => form.clearErrors('search') })} />
      )}
      {jersey && (
        <Field id={jerseyId} label="Jersey" hint="optional" error={errors.jersey?.message}>
          <Input inputMode="numeric" {...described(jerseyId, errors.jersey?.message)} {...form.register('jersey')} />
        </Field>
      )}
      {errors.root && (
        <p role="alert" className="text-sm text-destructive">
          {errors.root.message}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={isSubmitting}>
          {isSubmitting ? 'Saving…' : action}
        </Button>
      </div>
    </form>
  )
}

type FoundProps = { query: UseQueryResult<Choice[]>; field: UseFormRegisterReturn }

function Found({ query, field }: FoundProps) {
  if (query.isPending) return <Spinner />
  if (query.isError) {
    return <Problem text="The search failed." error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data.length === 0) return <Empty>Nothing found by that name.</Empty>
  return (
    <fieldset className="grid max-h-64 gap-1 overflow-y-auto" aria-busy={query.isFetching}>
      <legend className="sr-only">Found</legend>
      {query.data.map(({ id, name, facts }) => (
        <label key={id} className="flex items-center gap-3 rounded-lg px-2 py-2 hover:bg-muted">
          <input type="radio" value={id} className="size-4 accent-primary" {...field} />
          <span className="min-w-0">
            <span className="block font-medium wrap-anywhere">{name}</span>
            <span className="block text-sm wrap-anywhere text-muted-foreground">{facts}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
