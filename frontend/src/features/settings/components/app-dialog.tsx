import { zodResolver } from '@hookform/resolvers/zod'
import { Smartphone } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { securityReason } from '@/data/security/messages'
import { freeName, KIND_NAMES } from '@/data/security/model'
import { type NewApp, useEnrollApp, useForgetApp, useVerifyApp } from '@/data/security/mutations'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle, DialogTrigger } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { CodeInput } from '@/features/settings/components/code-input'
import { NameForm } from '@/features/settings/components/name-form'
import { codeSchema, grouped } from '@/features/settings/model'

type AppDialogProps = { userId: string; taken: readonly string[] }

/** Adds an authenticator app: a name, a picture to scan, a code to prove that it was scanned. */
export function AppDialog({ userId, taken }: AppDialogProps) {
  const [open, setOpen] = useState(false)
  const [app, setApp] = useState<NewApp | null>(null)
  const enroll = useEnrollApp()
  const forget = useForgetApp()

  function change(next: boolean) {
    setOpen(next)
    enroll.reset()
    // Closed half way: the secret is of no use to anybody.
    if (!next && app) forget.mutate(app.factorId)
    setApp(null)
  }

  return (
    <Dialog open={open} onOpenChange={change}>
      <DialogTrigger asChild>
        <Button variant="outline">
          <Smartphone aria-hidden />
          Add authenticator app
        </Button>
      </DialogTrigger>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Add an authenticator app</DialogTitle>
          <DialogDescription>
            {app
              ? 'Scan the picture with the app, then enter the code that it shows.'
              : 'An app on your phone shows a new code every 30 seconds. Give it a name to know it by.'}
          </DialogDescription>
        </div>
        {app ? (
          <Scan
            app={app}
            userId={userId}
            onDone={() => {
              setApp(null)
              setOpen(false)
            }}
          />
        ) : (
          <NameForm
            draft={{ id: `app:${userId}`, description: 'A name for an authenticator app' }}
            name={freeName(KIND_NAMES.totp, taken)}
            submit="Continue"
            pending={enroll.isPending}
            problem={enroll.isError ? securityReason(enroll.error) : null}
            onSubmit={(name) => enroll.mutateAsync(name).then(setApp)}
          />
        )}
      </DialogContent>
    </Dialog>
  )
}

function Scan({ app, userId, onDone }: { app: NewApp; userId: string; onDone: () => void }) {
  const verify = useVerifyApp(userId)
  const { register, handleSubmit, setFocus, setValue, formState } = useForm({
    defaultValues: { code: '' },
    resolver: zodResolver(codeSchema),
  })
  const invalid = formState.errors.code?.message ?? (verify.isError ? securityReason(verify.error) : null)
  const submit = handleSubmit(({ code }) =>
    verify.mutate(
      { factorId: app.factorId, code },
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
      <img
        src={app.qrCode}
        alt="QR code with the secret of your account"
        className="mx-auto size-60 rounded-lg border border-border bg-white"
      />
      <div className="grid gap-1 text-sm">
        <p className="text-muted-foreground">No camera? Type this key into the app:</p>
        <code className="rounded-lg bg-muted px-3 py-2 text-center font-mono wrap-anywhere select-all">
          {grouped(app.secret)}
        </code>
      </div>
      <Field id="app-code" label="Code">
        <CodeInput
          id="app-code"
          aria-invalid={Boolean(invalid)}
          aria-describedby="app-code-problem"
          {...register('code')}
        />
      </Field>
      <p id="app-code-problem" role="alert" className="text-sm text-destructive empty:hidden">
        {invalid}
      </p>
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={verify.isPending}>
          {verify.isPending ? 'Checking…' : 'Turn on'}
        </Button>
      </div>
    </form>
  )
}
