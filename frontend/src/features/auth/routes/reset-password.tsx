import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { useNewPassword, useResetPassword } from '@/data/auth/mutations'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { messageOf } from '@/lib/errors'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card, PageHeader } from '@/ui/section'
import { PASSWORDS } from '@/features/auth/components/account-fields'
import { emailSchema, newPasswordSchema } from '@/features/auth/model'

const LINK_DRAFT = 'reset-password'

/** `/reset-password`: where the link of the e-mail leads, which signs in; without it, a way to get such a link. */
export default function ResetPasswordScreen() {
  const { user } = useSession()
  usePageTitle('Reset Password')
  return (
    <div className="mx-auto grid max-w-md gap-6">
      <PageHeader title="Reset Password" />
      {user ? <NewPassword email={user.email ?? ''} /> : <AskForLink />}
    </div>
  )
}

function NewPassword({ email }: { email: string }) {
  const navigate = useNavigate()
  const change = useNewPassword()
  const form = useForm({
    resolver: zodResolver(newPasswordSchema),
    defaultValues: { password: '', confirmPassword: '' },
  })
  useDraft({ id: 'new-password', description: 'Your new password', location: 'Reset Password' }, form, PASSWORDS)
  const { register, handleSubmit, formState } = form
  const { password, confirmPassword } = formState.errors
  return (
    <Card title="Choose a new password" text={`For ${email || 'your account'}.`}>
      <form
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit(({ password }) =>
          change.mutate(password, { onSuccess: () => void navigate(paths.home) }),
        )}
      >
        {/* Password managers want to know whose password it is. */}
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <Field id="new-password" label="New password" error={password?.message}>
          <Input
            type="password"
            autoComplete="new-password"
            {...described('new-password', password?.message)}
            {...register('password')}
          />
        </Field>
        <Field id="confirm-password" label="Confirm new password" error={confirmPassword?.message}>
          <Input
            type="password"
            autoComplete="new-password"
            {...described('confirm-password', confirmPassword?.message)}
            {...register('confirmPassword')}
          />
        </Field>
        {change.isError && (
          <p role="alert" className="text-sm text-destructive">
            {messageOf(change.error, 'Your password was not changed. Please try again.')}
          </p>
        )}
        <Button type="submit" size="lg" disabled={change.isPending}>
          {change.isPending ? 'Saving…' : 'Save password'}
        </Button>
      </form>
    </Card>
  )
}

function AskForLink() {
  const reset = useResetPassword()
  const form = useForm({
    resolver: zodResolver(emailSchema),
    defaultValues: { email: '' },
  })
  useDraft({ id: LINK_DRAFT, description: 'Your email', location: 'Reset Password' }, form)
  const { register, handleSubmit, formState } = form
  const error = formState.errors.email?.message
  return (
    <Card
      title="Get a link"
      text="Links work once and for an hour. If yours no longer does, or you came here without one, ask for another."
    >
      <form
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit(({ email }) => reset.mutate(email, { onSuccess: () => forgetDraft(LINK_DRAFT) }))}
      >
        <Field id="reset-email" label="Email" error={error}>
          <Input type="email" autoComplete="email" {...described('reset-email', error)} {...register('email')} />
        </Field>
        <Button type="submit" size="lg" disabled={reset.isPending}>
          {reset.isPending ? 'Sending…' : 'Send reset link'}
        </Button>
      </form>
    </Card>
  )
}
