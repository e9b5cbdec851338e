import { zodResolver } from '@hookform/resolvers/zod'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { birthDateSchema, guardianSchema } from '@/features/home/model'
import { useAnswerBirthDate, useInviteGuardian } from '@/features/home/mutations'
import { birthDateQuery, visibilityQuery } from '@/features/home/queries'

/** 'Finish your profile': the birth date after the first sign-in, and a guardian for those who need one. */
export function FinishProfile({ userId }: { userId: string }) {
  const { data: answer, isSuccess } = useQuery(birthDateQuery(userId))
  const { data: visibility } = useQuery(visibilityQuery(userId))
  if (isSuccess && answer === null) return <BirthDateCard userId={userId} />
  if (visibility === 'guardian_missing') return <GuardianCard userId={userId} />
  return null
}

function BirthDateCard({ userId }: { userId: string }) {
  const answer = useAnswerBirthDate(userId)
  const form = useForm({ resolver: zodResolver(birthDateSchema), defaultValues: { birth_date: '' } })
  useDraft({ id: `birth-date:${userId}`, description: 'Your birth date', location: 'Home' }, form)
  const error =
    form.formState.errors.birth_date?.message ??
    (answer.isError ? messageOf(answer.error, 'That was not saved. Please try again.') : undefined)
  return (
    <Card
      title="Finish your profile"
      text="Until we know your birth date, nobody else sees your profile. It is never shown to others, and can be given once."
    >
      <form
        noValidate
        className="flex flex-wrap items-start gap-4"
        onSubmit={form.handleSubmit((values) =>
          answer.mutate(values.birth_date, { onSuccess: () => form.reset(values) }),
        )}
      >
        <Field id="birth-date" label="Birth date" error={error} className="grow basis-56 sm:max-w-xs">
          <Input type="date" autoComplete="bday" {...described('birth-date', error)} {...form.register('birth_date')} />
        </Field>
        <Button type="submit" className="mt-6.5" disabled={answer.isPending}>
          {answer.isPending ? 'Saving…' : 'Save'}
        </Button>
      </form>
    </Card>
  )
}

function GuardianCard({ userId }: { userId: string }) {
  const invite = useInviteGuardian()
  const form = useForm({ resolver: zodResolver(guardianSchema), defaultValues: { email: '' } })
  useDraft({ id: `guardian:${userId}`, description: 'Your guardian’s address', location: 'Home' }, form)
  const error =
    form.formState.errors.email?.message ??
    (invite.isError ? messageOf(invite.error, 'That was not saved. Please try again.') : undefined)
  return (
    <Card
      title="Invite your parent or guardian"
      text="You are under 13, so your profile stays hidden until a parent or guardian has accepted your account from one of their own."
    >
      <form
        noValidate
        className="flex flex-wrap items-start gap-4"
        onSubmit={form.handleSubmit((values) => invite.mutate(values.email, { onSuccess: () => form.reset(values) }))}
      >
        <Field id="guardian-email" label="Their email" error={error} className="grow basis-56 sm:max-w-sm">
          <Input type="email" {...described('guardian-email', error)} {...form.register('email')} />
        </Field>
        <Button type="submit" className="mt-6.5" disabled={invite.isPending}>
          {invite.isPending ? 'Saving…' : 'Invite'}
        </Button>
      </form>
      {invite.isSuccess && (
        <p role="status" className="text-sm text-success">
          The invitation waits for them: they see it on Home once they have signed in with that address.
        </p>
      )}
    </Card>
  )
}
