import { zodResolver } from '@hookform/resolvers/zod'
import { MessageSquare } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { phoneReason } from '@/data/security/messages'
import { useForgetApp } from '@/data/security/mutations'
import { type NewPhone, useEnrollPhone, useVerifyPhone } from '@/data/security/phone'
import { useSendCode } from '@/data/send-code'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { CodeInput } from '@/features/settings/components/code-input'
import { codeSchema, phoneSchema } from '@/features/settings/model'

type PhoneDialogProps = { userId: string; taken: readonly string[] }

/** Adds a phone: its number, then the code that was sent there. */
export function PhoneDialog({ userId, taken }: PhoneDialogProps) {
  const [open, setOpen] = useState(false)
  const [phone, setPhone] = useState<NewPhone | null>(null)
  const forget = useForgetApp()

  function change(next: boolean) {
    setOpen(next)
    // Closed before the code was entered: the unverified phone is removed.
    if (!next && phone) forget.mutate(phone.factorId)
    setPhone(null)
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <MessageSquare aria-hidden />
          Add phone
        </Button>
      </DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Add a phone</DialogTitle>
          <DialogDescription>
            {phone
              ? `We have sent a code to ${phone.number}.`
              : 'We send a code to it whenever you sign in. An app is safer: messages can be intercepted.'}
          </DialogDescription>
        </div>
        {phone ? (
          <Proof
            phone={phone}
            userId={userId}
            onResent={(challengeId) => setPhone({ ...phone, challengeId })}
            onDone={() => {
              setPhone(null)
              setOpen(false)
            }}
          />
        ) : (
          <NumberForm userId={userId} taken={taken} onSent={setPhone} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type NumberFormProps = PhoneDialogProps & { onSent: (phone: NewPhone) => void }

function NumberForm({ userId, taken, onSent }: NumberFormProps) {
  const enroll = useEnrollPhone(taken)
  const draft = `phone:${userId}`
  const form = useForm({ defaultValues: { phone: '' }, resolver: zodResolver(phoneSchema) })
  useDraft({ id: draft, description: 'The number of a phone', location: 'Settings' }, form)
  const error = form.formState.errors.phone?.message ?? (enroll.isError ? phoneReason(enroll.error) : undefined)
  const submit = form.handleSubmit(({ phone }) =>
    enroll.mutate(phone, {
      onSuccess: (sent) => {
        forgetDraft(draft)
        onSent(sent)
      },
      onError: () => form.setFocus('phone'),
    }),
  )
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field id="phone-number" label="Phone number" error={error} help="With its country code, such as +1 555 010 4477">
        <Input
          type="tel"
          autoComplete="tel"
          autoFocus
          aria-required
          {...described('phone-number', error, 'help')}
          {...form.register('phone')}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline" onClick={() => form.reset()}>
            Cancel
          </Button>
        </DialogClose>
        <Button type="submit" disabled={enroll.isPending}>
          {enroll.isPending ? 'Sending…' : 'Send code'}
        </Button>
      </div>
    </form>
  )
}

type ProofProps = { phone: NewPhone; userId: string; onResent: (challengeId: string) => void; onDone: () => void }

function Proof({ phone: { factorId, challengeId }, userId, onResent, onDone }: ProofProps) {
  const verify = useVerifyPhone(userId)
  const again = useSendCode()
  const { register, handleSubmit, setFocus, setValue, formState } = useForm({
    defaultValues: { code: '' },
    resolver: zodResolver(codeSchema),
  })
  const failure = verify.error ?? again.error
  const problem = formState.errors.code?.message ?? (failure ? phoneReason(failure) : undefined)
  const submit = handleSubmit(({ code }) =>
    verify.mutate(
      { factorId, challengeId, code },
      {
        onSuccess: onDone,
        onError: () => {
          setValue('code', '')
          setFocus('code')
        },
      },
    ),
  )
  return (
    <form noValidate className="grid gap-5" onSubmit={submit}>
      <Field id="phone-code" label="Code" error={problem}>
        <CodeInput {...described('phone-code', problem)} {...register('code')} />
      </Field>
      {again.isSuccess && !problem && (
        <p role="status" className="text-sm text-success">
          A new code is on its way.
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <Button
          variant="link"
          className="mr-auto px-0"
          disabled={again.isPending}
          onClick={() => {
            verify.reset()
            again.mutate(factorId, { onSuccess: onResent })
          }}
        >
          Send a new code
        </Button>
        <Button type="submit" disabled={verify.isPending}>
          {verify.isPending ? 'Checking…' : 'Turn on'}
        </Button>
      </div>
    </form>
  )
}
