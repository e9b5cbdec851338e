import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { useInviteGuardian } from '@/data/guardians/mutations'
import { guardianSchema } from '@/features/guardians/schemas'

/** A minor asks a parent or guardian by e-mail address. */
export default function InviteForm({ userId, another }: { userId: string; another: boolean }) {
  const invite = useInviteGuardian()
  const form = useForm({ resolver: zodResolver(guardianSchema), defaultValues: { email: '' } })
  useDraft({ id: `guardian:${userId}`, description: 'Your guardian’s address', location: 'Home' }, form)
  const error = form.formState.errors.email?.message ?? invite.problem
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={form.handleSubmit(({ email }) => invite.mutate(email, { onSuccess: () => form.reset() }))}
    >
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Field
          id="guardian-email"
          label={another ? 'Email of another parent or guardian' : 'Email of your parent or guardian'}
          error={error}
          className="grow basis-56 sm:max-w-sm"
        >
          <Input type="email" {...described('guardian-email', error)} {...form.register('email')} />
        </Field>
        <Button type="submit" className="sm:mt-6.5" disabled={invite.isPending}>
          {invite.isPending ? 'Saving…' : 'Invite'}
        </Button>
      </div>
      <p className="text-sm text-muted-foreground">
        We do not write to them ourselves: tell them to sign up with this address. The invitation waits on their Home.
      </p>
    </form>
  )
}
