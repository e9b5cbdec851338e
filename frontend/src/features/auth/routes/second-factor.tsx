import type { Factor, Session } from '@supabase/supabase-js'
import { KeyRound, LogOut, MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { phoneReason, secondFactorReason } from '@/data/auth/messages'
import { useProveByCode, useProveByKey } from '@/data/auth/mutations'
import { useSendCode } from '@/data/send-code'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { WelcomePanel } from '@/features/auth/components/welcome-panel'
import { CODE_LENGTH, factorName, isCode } from '@/features/auth/model'

/** Replaces every screen until the user's second factor is verified. */
export default function SecondFactorScreen({ session }: { session: Session }) {
  const { signOut } = useSession()
  usePageTitle('Second Step')
  const factors = (session.user.factors ?? []).filter(({ status }) => status === 'verified')
  const [chosen, setChosen] = useState(factors[0]?.id ?? '')
  const factor = factors.find(({ id }) => id === chosen) ?? factors[0]
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,1.1fr)_minmax(0,1fr)]">
      <main className="flex justify-center px-5 py-10 sm:px-10 lg:items-center">
        <div className="grid w-full max-w-md content-start gap-6">
          <header>
            <h1 className="text-3xl font-bold tracking-tight">One more step</h1>
            <p className="mt-1.5 wrap-anywhere text-muted-foreground">
              {session.user.email} is protected by a second factor.
            </p>
          </header>
          {factors.length > 1 && (
            <Field id="second-factor" label="Second factor">
              <Select id="second-factor" value={factor?.id} onChange={(event) => setChosen(event.target.value)}>
                {factors.map((one) => (
                  <option key={one.id} value={one.id}>
                    {factorName(one)}
                  </option>
                ))}
              </Select>
            </Field>
          )}
          {factor && <Step key={factor.id} factor={factor} />}
          <Button variant="link" className="justify-self-center" onClick={() => void signOut()}>
            <LogOut aria-hidden />
            Sign in as somebody else
          </Button>
        </div>
      </main>
      <WelcomePanel />
    </div>
  )
}

function Step({ factor }: { factor: Factor }) {
  switch (factor.factor_type) {
    case 'webauthn':
      return <KeyStep factor={factor} />
    case 'phone':
      return <PhoneStep factor={factor} />
    case 'totp':
      return <CodeStep factor={factor} />
  }
}

/** Messages cost money, so the code is sent only on request. */
function PhoneStep({ factor }: { factor: Factor }) {
  const send = useSendCode()
  return (
    <div className="grid gap-5">
      {send.data ? (
        <CodeStep factor={factor} challengeId={send.data} />
      ) : (
        <p className="text-muted-foreground">We send a code to {factorName(factor)}.</p>
      )}
      {send.isError && (
        <p role="alert" className="text-sm text-destructive">
          {phoneReason(send.error)}
        </p>
      )}
      <Button
        size="lg"
        variant={send.data ? 'outline' : 'default'}
        disabled={send.isPending}
        onClick={() => send.mutate(factor.id)}
      >
        <MessageSquare aria-hidden />
        {send.isPending ? 'Sending…' : send.data ? 'Send a new code' : 'Send code'}
      </Button>
    </div>
  )
}

type CodeStepProps = {
  factor: Factor
  /** The challenge that a phone's code answers. */
  challengeId?: string
}

function CodeStep({ factor, challengeId }: CodeStepProps) {
  const { register, handleSubmit, setFocus, setValue, formState } = useForm({ defaultValues: { code: '' } })
  const prove = useProveByCode()
  const reason = challengeId ? phoneReason : secondFactorReason
  const invalid = Boolean(formState.errors.code) || prove.isError
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit(({ code }) =>
        prove.mutate(
          { factorId: factor.id, challengeId, code: code.trim() },
          {
            onError: () => {
              setValue('code', '')
              setFocus('code')
            },
          },
        ),
      )}
    >
      <Field id="code" label={`Code of ${factorName(factor)}`}>
        <Input
          id="code"
          className="text-center font-display text-2xl tracking-[0.35em] sm:text-2xl"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={CODE_LENGTH + 2}
          autoFocus
          aria-required
          aria-invalid={invalid}
          aria-describedby="code-problem"
          {...register('code', { validate: isCode })}
        />
      </Field>
      <p id="code-problem" role="alert" className="min-h-5 text-sm text-destructive empty:hidden">
        {formState.errors.code && `The code is ${CODE_LENGTH} digits.`}
        {!formState.errors.code && prove.isError && reason(prove.error)}
      </p>
      <Button type="submit" size="lg" disabled={prove.isPending}>
        {prove.isPending ? 'Checking…' : 'Continue'}
      </Button>
    </form>
  )
}

function KeyStep({ factor }: { factor: Factor }) {
  const prove = useProveByKey()
  return (
    <div className="grid gap-5">
      <p className="text-muted-foreground">Have {factorName(factor)} at hand, and touch it when the browser asks.</p>
      {prove.isError && (
        <p role="alert" className="text-sm text-destructive">
          {secondFactorReason(prove.error)}
        </p>
      )}
      <Button size="lg" disabled={prove.isPending} onClick={() => prove.mutate(factor.id)}>
        <KeyRound aria-hidden />
        {prove.isPending ? 'Waiting for your key…' : 'Use security key'}
      </Button>
    </div>
  )
}
