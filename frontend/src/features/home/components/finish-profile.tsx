import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useDraft } from '@/lib/draft'
import { messageOf } from '@/lib/errors'
import { BirthDateQuestion } from '@/ui/birth-date-question'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { birthDateSchema } from '@/features/home/schemas'
import { birthDateDraft, useAnswerBirthDate } from '@/data/home/mutations'

/** 'Finish your profile': the birth date after the first sign-in. */
export default function FinishProfile({ userId }: { userId: string }) {
  const answer = useAnswerBirthDate(userId)
  const form = useForm({ resolver: zodResolver(birthDateSchema), defaultValues: { birth_date: '' } })
  useDraft({ id: birthDateDraft(userId), description: 'Your birth date', location: 'Home' }, form)
  const error =
    form.formState.errors.birth_date?.message ??
    (answer.isError ? messageOf(answer.error, 'That was not saved. Please try again.') : undefined)
  const [asked, ask] = useState<string | null>(null)
  return (
    <Card
      title="Finish your profile"
      text="Until we know your birth date, nobody else sees your profile. It is never shown to others, and can be given once."
    >
      <form
        noValidate
        className="flex flex-wrap items-start gap-x-4 gap-y-3"
        onSubmit={form.handleSubmit(({ birth_date }) => ask(birth_date))}
      >
        <Field id="birth-date" label="Birth date" error={error} className="grow basis-56 sm:max-w-xs">
          <Input type="date" autoComplete="bday" {...described('birth-date', error)} {...form.register('birth_date')} />
        </Field>
        <Button type="submit" className="sm:mt-6.5" disabled={answer.isPending}>
          {answer.isPending ? 'Saving…' : 'Save'}
        </Button>
      </form>
      <BirthDateQuestion
        birthDate={asked}
        whom="you"
        consequence="You cannot change your birth date later."
        onBack={() => ask(null)}
        onConfirm={(birthDate) => answer.mutate(birthDate)}
      />
    </Card>
  )
}
