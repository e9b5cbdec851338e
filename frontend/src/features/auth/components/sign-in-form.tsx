import { Fingerprint } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { CREDENTIALS_MISSING, EMAIL_MISSING, signInFailure } from '@/data/auth/messages'
import { useResetPassword, useSignIn, useSignInWithPasskey } from '@/data/auth/mutations'
import { SIGN_IN_DRAFT } from '@/data/auth/storage'
import { hasAuthenticators } from '@/lib/authenticators'
import { useDraft } from '@/lib/draft'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { toast } from '@/ui/toast/toast-state'

/** @param onAwaiting called with an address that is not confirmed yet */
export function SignInForm({ onAwaiting = () => undefined }: { onAwaiting?: (email: string) => void }) {
  const form = useForm({ defaultValues: { email: '', password: '' } })
  useDraft({ id: SIGN_IN_DRAFT, description: 'Your email', location: 'Sign In' }, form, ['password'])
  const { register, handleSubmit, getValues, setError, clearErrors, setFocus, formState } = form
  const signIn = useSignIn(onAwaiting)
  const passkey = useSignInWithPasskey()
  const reset = useResetPassword()

  function forgotPassword() {
    const email = getValues('email').trim()
    if (email) {
      clearErrors()
      reset.mutate(email)
      return
    }
    setError('email', { type: 'required' })
    setFocus('email')
    toast({ title: EMAIL_MISSING, variant: 'error' })
  }

  const required = (value: string) => value.trim() !== ''
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit(
        // Awaited, so that the button is disabled before the second click of a double click.
        async ({ email, password }) => {
          await signIn.mutateAsync({ email: email.trim(), password }).catch(() => undefined)
        },
        () => toast({ ...signInFailure(new Error(CREDENTIALS_MISSING)), variant: 'error' }),
      )}
    >
      <Field id="sign-in-email" label="Email">
        <Input
          id="sign-in-email"
          type="email"
          autoComplete="email"
          aria-required
          aria-invalid={Boolean(formState.errors.email)}
          {...register('email', { validate: required })}
        />
      </Field>
      <Field id="sign-in-password" label="Password">
        <Input
          id="sign-in-password"
          type="password"
          autoComplete="current-password"
          aria-required
          aria-invalid={Boolean(formState.errors.password)}
          {...register('password', { validate: (password) => password !== '' })}
        />
      </Field>
      <Button type="submit" size="lg" disabled={formState.isSubmitting}>
        {formState.isSubmitting ? 'Signing in…' : 'Sign In'}
      </Button>
      {hasAuthenticators() && (
        <Button variant="outline" size="lg" disabled={passkey.isPending} onClick={() => passkey.mutate()}>
          <Fingerprint aria-hidden />
          {passkey.isPending ? 'Waiting for your passkey…' : 'Use a passkey'}
        </Button>
      )}
      <Button variant="link" className="justify-self-center" disabled={reset.isPending} onClick={forgotPassword}>
        Forgot Password
      </Button>
    </form>
  )
}
