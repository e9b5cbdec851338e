import { zodResolver } from '@hookform/resolvers/zod'
import type { User } from '@supabase/supabase-js'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, type UseFormRegisterReturn } from 'react-hook-form'
import { changeReason } from '@/data/account/messages'
import { useChangeEmail, useChangePassword } from '@/data/account/mutations'
import { freshUserQuery } from '@/data/account/queries'
import { useDraft } from '@/lib/draft'
import { codeOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { addressSchema, passwordSchema } from '@/features/settings/model'

const NO_PASSWORD = { password: '', confirmPassword: '', nonce: '' }
const SECRETS = ['password', 'confirmPassword', 'nonce'] as const

/** Changes the password. */
export function PasswordForm({ user }: { user: User }) {
  const change = useChangePassword()
  const form = useForm({ resolver: zodResolver(passwordSchema), defaultValues: NO_PASSWORD })
  useDraft({ id: `password:${user.id}`, description: 'Your new password', location: 'Settings' }, form, SECRETS)
  const [codeSent, setCodeSent] = useState(false)
  const { register, handleSubmit, reset, setFocus, formState } = form
  const { password, confirmPassword } = formState.errors
  const reason = change.isError ? changeReason(change.error) : undefined
  const codeProblem = codeOf(change.error) === 'reauthentication_not_valid' ? reason : undefined

  const submit = handleSubmit(({ password, nonce }) =>
    change.mutate(
      { password, nonce: nonce || undefined },
      {
        onSuccess: () => {
          reset(NO_PASSWORD)
          setCodeSent(false)
        },
        onError: (error) => {
          if (codeOf(error) === 'reauthentication_needed') setCodeSent(true)
          else if (codeOf(error) === 'reauthentication_not_valid') setFocus('nonce')
        },
      },
    ),
  )
  return (
    <Card title="Password" text="Use one that you use nowhere else.">
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <input type="hidden" autoComplete="username" value={user.email ?? ''} readOnly />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field id="password-new" label="New password" error={password?.message}>
            <Input
              type="password"
              autoComplete="new-password"
              {...described('password-new', password?.message)}
              {...register('password')}
            />
          </Field>
          <Field id="password-again" label="Confirm new password" error={confirmPassword?.message}>
            <Input
              type="password"
              autoComplete="new-password"
              {...described('password-again', confirmPassword?.message)}
              {...register('confirmPassword')}
            />
          </Field>
        </div>
        {codeSent && <CodeField problem={codeProblem} field={register('nonce')} />}
        {reason && !codeProblem && (
          <p role="alert" className="text-sm text-destructive">
            {reason}
          </p>
        )}
        <Button type="submit" variant="outline" className="justify-self-start" disabled={change.isPending}>
          {change.isPending ? 'Saving…' : 'Change password'}
        </Button>
      </form>
    </Card>
  )
}

/** The code that the server asks for if the last sign-in is too long ago. */
function CodeField({ problem, field }: { problem: string | undefined; field: UseFormRegisterReturn }) {
  return (
    <Field id="password-code" label="Code from the e-mail" error={problem}>
      <Input
        autoComplete="one-time-code"
        inputMode="numeric"
        autoFocus
        {...described('password-code', problem)}
        {...field}
      />
    </Field>
  )
}

/** The address, which is changed once it has answered. */
export function EmailForm({ user }: { user: User }) {
  const { email, new_email: awaited } = user
  const change = useChangeEmail()
  useQuery({ ...freshUserQuery(user.id), enabled: Boolean(awaited) })
  const form = useForm({ resolver: zodResolver(addressSchema), defaultValues: { email: '' } })
  useDraft({ id: `email:${user.id}`, description: 'Your new email', location: 'Settings' }, form)
  const { register, handleSubmit, reset, formState } = form
  const error = formState.errors.email?.message ?? (change.isError ? changeReason(change.error) : undefined)
  const submit = handleSubmit((values) => change.mutate(values.email, { onSuccess: () => reset() }))
  return (
    <Card title="Email" text={email ? `Now ${email}.` : 'Your account has no address yet.'}>
      <form noValidate className="grid gap-5" onSubmit={submit}>
        <Field id="email-new" label="New email" error={error}>
          <Input type="email" autoComplete="email" {...described('email-new', error)} {...register('email')} />
        </Field>
        {awaited && (
          <p role="status" className="text-sm text-success wrap-anywhere">
            We have sent links to confirm {awaited}. The change is made once you have followed them.
          </p>
        )}
        <Button type="submit" variant="outline" className="justify-self-start" disabled={change.isPending}>
          {change.isPending ? 'One moment…' : 'Change email'}
        </Button>
      </form>
    </Card>
  )
}
