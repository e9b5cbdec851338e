import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useSaveAccount } from '@/data/account/mutations'
import { useDraft } from '@/lib/draft'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { fullNameSchema } from '@/features/settings/model'

/** Loaded apart from the screen, because the screen needs no other form at first. */
export default function FullNameForm({ userId, fullName }: { userId: string; fullName: string }) {
  const save = useSaveAccount(userId)
  const form = useForm({ resolver: zodResolver(fullNameSchema), defaultValues: { full_name: fullName } })
  useDraft({ id: `name:${userId}`, description: 'Your name', location: 'Settings' }, form)
  const error = form.formState.errors.full_name?.message
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={form.handleSubmit((values) => save.mutate(values, { onSuccess: () => form.reset(values) }))}
    >
      <Field id="full-name" label="Full name" error={error}>
        <Input autoComplete="name" {...described('full-name', error)} {...form.register('full_name')} />
      </Field>
      {save.isError && (
        <p role="alert" className="text-sm text-destructive">
          {messageOf(save.error, 'Your name was not saved. Please try again.')}
        </p>
      )}
      <Button type="submit" className="justify-self-start" disabled={save.isPending || !form.formState.isDirty}>
        {save.isPending ? 'Saving…' : 'Save'}
      </Button>
    </form>
  )
}
