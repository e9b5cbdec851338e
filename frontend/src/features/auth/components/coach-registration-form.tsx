import { zodResolver } from '@hookform/resolvers/zod'
import { ArrowLeft } from 'lucide-react'
import { useForm, type UseFormRegisterReturn } from 'react-hook-form'
import { Link } from 'react-router'
import { useRegisterCoach, type OnSignedUp } from '@/data/auth/sign-up'
import { COACH_DRAFT } from '@/data/auth/storage'
import { useDraft } from '@/lib/draft'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { AccountFields, PASSWORDS, type AccountInput } from '@/features/auth/components/account-fields'
import { COACH_FIELDS, coachSchema, MONTHS, YEARS, type CoachInput, type CoachValues } from '@/features/auth/model'

const PROBLEMS_ID = 'coach-problems'

/** Length of time in the current league and team: optional, 0 unless said (section 5). */
const TENURES = [
  { name: 'yearsCurrentLeague', label: 'Years with Current League', choices: YEARS },
  { name: 'monthsCurrentLeague', label: 'Months with Current League', choices: MONTHS },
  { name: 'yearsCurrentTeam', label: 'Years with Current Team', choices: YEARS },
  { name: 'monthsCurrentTeam', label: 'Months with Current Team', choices: MONTHS },
] as const

type CoachRegistrationFormProps = {
  typed: AccountInput
  onSignedUp: OnSignedUp
  /** Called with the address that has to be confirmed first. */
  onAwaiting: (email: string) => void
  onBack: () => void
}

export function CoachRegistrationForm({ typed, onSignedUp, onAwaiting, onBack }: CoachRegistrationFormProps) {
  const form = useForm<CoachInput, unknown, CoachValues>({
    resolver: zodResolver(coachSchema),
    shouldFocusError: false,
    defaultValues: {
      ...typed,
      league: '',
      yearsCoaching: '',
      teamName: '',
      yearsCurrentLeague: '0',
      monthsCurrentLeague: '0',
      yearsCurrentTeam: '0',
      monthsCurrentTeam: '0',
    },
  })
  const { register, handleSubmit, setFocus, formState } = form
  useDraft({ id: COACH_DRAFT, description: 'Your registration as a coach', location: 'Sign Up' }, form, PASSWORDS)
  const registration = useRegisterCoach(onSignedUp, onAwaiting)
  const { errors } = formState
  const control: Control = (name) => ({
    ...register(name),
    'aria-invalid': Boolean(errors[name]),
    'aria-describedby': errors[name] ? PROBLEMS_ID : undefined,
  })
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit(
        // Awaited, so that the button is disabled before the second click of a double click.
        async (values) => {
          await registration.mutateAsync(values).then(onBack, () => undefined)
        },
        (errors) => {
          const first = COACH_FIELDS.find((name) => errors[name])
          if (first) setFocus(first)
        },
      )}
    >
      <Button asChild variant="link" className="-ml-4 justify-self-start">
        <Link to={paths.signIn} state="sign-up" replace onClick={onBack}>
          <ArrowLeft aria-hidden />
          Back to regular signup
        </Link>
      </Button>
      <Problems messages={COACH_FIELDS.flatMap((name) => errors[name]?.message ?? [])} />
      <AccountFields prefix="coach" control={control} />
      <CoachingFields control={control} />
      <Button type="submit" size="lg" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Creating your account…' : 'Register as Coach'}
      </Button>
    </form>
  )
}

type Control = (name: keyof CoachInput) => UseFormRegisterReturn & {
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

function CoachingFields({ control }: { control: Control }) {
  return (
    <>
      <Field id="coach-league" label="League">
        <Input id="coach-league" aria-required {...control('league')} />
      </Field>
      <Field id="coach-years" label="Years Coaching">
        <Select id="coach-years" aria-required {...control('yearsCoaching')}>
          <option value="">Choose…</option>
          <Options choices={YEARS} />
        </Select>
      </Field>
      <Field id="coach-team" label="Team Name">
        <Input id="coach-team" aria-required {...control('teamName')} />
      </Field>
      <div className="grid grid-cols-2 gap-4">
        {TENURES.map(({ name, label, choices }) => (
          <Field key={name} id={`coach-${name}`} label={label} hint="optional">
            <Select id={`coach-${name}`} {...control(name)}>
              <Options choices={choices} />
            </Select>
          </Field>
        ))}
      </div>
    </>
  )
}

function Options({ choices }: { choices: readonly string[] }) {
  return choices.map((choice) => <option key={choice}>{choice}</option>)
}

/** Section 5 wants the coach form's errors listed together; a list that stays serves better than a toast that goes. */
function Problems({ messages }: { messages: readonly string[] }) {
  if (messages.length === 0) return null
  return (
    <div id={PROBLEMS_ID} role="alert" className="rounded-lg border border-destructive/40 bg-destructive/6 p-4 text-sm">
      <p className="font-semibold text-destructive">Please correct the following:</p>
      <ul className="mt-1.5 list-disc space-y-0.5 pl-5">
        {messages.map((message) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </div>
  )
}
