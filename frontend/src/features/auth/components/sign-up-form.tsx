import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, type FieldErrors } from 'react-hook-form'
import { useSignUp, type OnSignedUp } from '@/data/auth/sign-up'
import { SIGN_UP_DRAFT } from '@/data/auth/storage'
import { useDraft } from '@/lib/draft'
import type { SignupRole } from '@/lib/role'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Select } from '@/ui/select'
import { toast } from '@/ui/toast/toast-state'
import { AccountFields, NO_ACCOUNT, PASSWORDS, type AccountInput } from '@/features/auth/components/account-fields'
import { SIGN_UP_FIELDS, signUpSchema, type SignUpInput, type SignUpValues } from '@/features/auth/model'

const ROLE_LABELS: Record<SignupRole, string> = { player: 'Player', coach: 'Coach', scout: 'Scout', fan: 'Fan' }

type SignUpFormProps = {
  onSignedUp: OnSignedUp
  /** Told the address that has to be confirmed first. */
  onAwaiting: (email: string) => void
  /** A coach goes on to the longer form, which checks everything; what is typed so far goes along. */
  onCoach: (typed: AccountInput) => void
}

export function SignUpForm({ onSignedUp, onAwaiting, onCoach }: SignUpFormProps) {
  const form = useForm<SignUpInput, unknown, SignUpValues>({
    resolver: zodResolver(signUpSchema),
    shouldFocusError: false,
    defaultValues: { ...NO_ACCOUNT, role: 'player' },
  })
  const { register, handleSubmit, getValues, setFocus, setValue, reset, formState } = form
  useDraft({ id: SIGN_UP_DRAFT, description: 'Your registration', location: 'Sign Up' }, form, PASSWORDS)
  const signUp = useSignUp(onSignedUp, onAwaiting)
  // One thing at a time: the first problem is the one that is named, marked and focused.
  const wrong = firstError(formState.errors)

  const submit = handleSubmit(
    // Awaited, so that the button is disabled before the second click of a double click.
    async (values) => {
      await signUp.mutateAsync(values).then(
        () => reset(),
        () => undefined,
      )
    },
    (errors) => {
      const first = firstError(errors)
      if (!first) return
      setFocus(first)
      toast({ title: errors[first]?.message ?? '', variant: 'error' })
    },
  )
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={(event) => {
        if (getValues('role') !== 'coach') return submit(event)
        event.preventDefault()
        const typed = getValues()
        // A user who returns from the coach form has changed their mind about the role.
        setValue('role', 'player', { shouldDirty: true })
        onCoach(typed)
      }}
    >
      <AccountFields prefix="sign-up" control={(name) => ({ ...register(name), 'aria-invalid': name === wrong })} />
      <Field id="sign-up-role" label="Role">
        <Select id="sign-up-role" {...register('role')}>
          {Object.entries(ROLE_LABELS).map(([role, label]) => (
            <option key={role} value={role}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      <Button type="submit" size="lg" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Creating your account…' : 'Create Account'}
      </Button>
    </form>
  )
}

function firstError(errors: FieldErrors<SignUpInput>) {
  return SIGN_UP_FIELDS.find((name) => errors[name])
}
