import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { codeOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { changeReason } from '@/features/settings/messages'
import { addressSchema, passwordSchema } from '@/features/settings/model'
import { useChangeEmail, useChangePassword } from '@/features/settings/mutations'

/** The password, chosen anew. */
export function PasswordForm({ email }: { email: string }) {
  const change = useChangePassword()
  const { register, handleSubmit, reset, formState } = useForm({
    resolver: zodResolver(passwordSchema),
    defaultValues: { password: '', confirmPassword: '', nonce: '' },
  })
  const { errors } = formState
  const needsCode = ['reauthentication_needed', 'reauthentication_not_valid'].includes(codeOf(change.error) ?? '')
  return (
    <Card title="Password" text="Use one that you use nowhere else.">
      <form
        noValidate
        className="grid gap-5"
        onSubmit={handleSubmit(({ password, nonce }) =>
          change.mutate({ password, nonce: nonce || undefined }, { onSuccess: () => reset() }),
        )}
      >
        <input type="hidden" autoComplete="username" value={email} readOnly />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field id="password-new" label="New password" error={errors.password?.message}>
            <Input
              type="password"
              autoComplete="new-password"
              {...described('password-new', errors.password?.message)}
              {...register('password')}
            />
          </Field>
          <Field id="password-again" label="Confirm new password" error={errors.confirmPassword?.message}>
            <Input
              type="password"
              autoComplete="new-password"
              {...described('password-again', errors.confirmPassword?.message)}
              {...register('confirmPassword')}
            />
          </Field>
        </div>
        {needsCode && (
          <Field id="password-code" label="Code from the e-mail">
            <Input id="password-code" autoComplete="one-time-code" inputMode="numeric" {...register('nonce')} />
          </Field>
        )}
        {change.isError && (
          <p role="alert" className="text-sm text-destructive">
            {changeReason(change.error)}
          </p>
        )}
        <Button type="submit" variant="outline" className="justify-self-start" disabled={change.isPending}>
          {change.isPending ? 'Saving…' : 'Change password'}
        </Button>
      </form>
    </Card>
  )
}

/** The address, which is changed once it has answered. */
export function EmailForm({ email }: { email: string }) {
  const change = useChangeEmail()
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(addressSchema),
    defaultValues: { email: '' },
  })
  const error = formState.errors.email?.message ?? (change.isError ? changeReason(change.error) : undefined)
  return (
    <Card title="Email" text={email ? `Now ${email}.` : 'Your account has no address yet.'}>
      <form noValidate className="grid gap-5" onSubmit={handleSubmit(({ email }) => change.mutate(email))}>
        <Field id="email-new" label="New email" error={error}>
          <Input type="email" autoComplete="email" {...described('email-new', error)} {...register('email')} />
        </Field>
        {change.isSuccess && (
          <p role="status" className="text-sm text-success">
            We have written to the old address and the new one. The change is made once you have followed both links.
          </p>
        )}
        <Button type="submit" variant="outline" className="justify-self-start" disabled={change.isPending}>
          {change.isPending ? 'One moment…' : 'Change email'}
        </Button>
      </form>
    </Card>
  )
}
