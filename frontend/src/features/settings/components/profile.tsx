import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useForm } from 'react-hook-form'
import { useSaveAccount } from '@/data/account/mutations'
import { accountQuery } from '@/data/account/queries'
import { useDraft } from '@/lib/draft'
import { messageOf } from '@/lib/errors'
import { visibilityQuery } from '@/data/minors/queries'
import { VISIBILITY } from '@/lib/minors'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Section } from '@/ui/section'
import { Switch } from '@/ui/switch'
import { fullNameSchema } from '@/features/settings/model'

/** The name, and who may see the profile. */
export function Profile({ userId }: { userId: string }) {
  const query = useQuery(accountQuery(userId))
  return (
    <>
      <Section title="Profile" text="What others call you." query={query} problem="Your account could not be loaded.">
        {({ full_name }) => <NameForm userId={userId} fullName={full_name} />}
      </Section>
      <Section
        title="Privacy"
        text="Who may see your profile."
        query={query}
        problem="Your account could not be loaded."
      >
        {({ public_profile }) => <Privacy userId={userId} isPublic={public_profile} />}
      </Section>
    </>
  )
}

function NameForm({ userId, fullName }: { userId: string; fullName: string }) {
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

/** Under 13 the database takes the guardian's word alone. */
const GUARDIANS_CHOICE = ['guardian_missing', 'guardian_decides']

function Privacy({ userId, isPublic }: { userId: string; isPublic: boolean }) {
  const id = useId()
  const save = useSaveAccount(userId)
  const { data: visibility } = useQuery(visibilityQuery(userId))
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Switch
          id={id}
          checked={isPublic}
          disabled={save.isPending || GUARDIANS_CHOICE.includes(visibility ?? '')}
          onCheckedChange={(public_profile) => save.mutate({ public_profile })}
        />
        <label htmlFor={id} className="font-medium">
          Public profile
        </label>
      </div>
      {visibility && <p className="text-sm text-muted-foreground">{VISIBILITY[visibility] ?? ''}</p>}
      {save.isError && (
        <p role="alert" className="text-sm text-destructive">
          {messageOf(save.error, 'That was not saved. Please try again.')}
        </p>
      )}
    </div>
  )
}
