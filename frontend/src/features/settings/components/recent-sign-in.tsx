import { useState, type ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { confirmReason } from '@/data/security/messages'
import { useConfirmPassword, type Guard } from '@/data/security/mutations'
import { codeOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { Field } from '@/ui/field'
import { Input } from '@/ui/input'

/** The server's code for "sign in again first": SQLSTATE 28000. */
const RECENT_SIGN_IN_MISSING = '28000'

type Waiting = { resolve: () => void; reject: (error: Error) => void }

/**
 * For requests that the server refuses unless the sign-in is recent: asks for the password when that happens, then tries again.
 * @returns the wrapper for such requests, and the dialog to render
 */
export function useRecentSignIn(email: string): [Guard, ReactNode] {
  const [waiting, setWaiting] = useState<Waiting | null>(null)

  async function guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (codeOf(error) !== RECENT_SIGN_IN_MISSING) throw error
    }
    await new Promise<void>((resolve, reject) => setWaiting({ resolve, reject }))
    return work()
  }

  function close() {
    waiting?.reject(new Error('Nothing was done, because you did not confirm that it is you.'))
    setWaiting(null)
  }

  const dialog = (
    <Dialog open={waiting !== null} onOpenChange={(open) => !open && close()}>
      <DialogContent>
        <div className="grid gap-2">
          <DialogTitle>Confirm that it is you</DialogTitle>
          <DialogDescription>This requires a recent sign-in. Please enter your password.</DialogDescription>
        </div>
        <PasswordForm
          email={email}
          onCancel={close}
          onConfirmed={() => {
            waiting?.resolve()
            setWaiting(null)
          }}
        />
      </DialogContent>
    </Dialog>
  )
  return [guard, dialog]
}

type PasswordFormProps = { email: string; onCancel: () => void; onConfirmed: () => void }

function PasswordForm({ email, onCancel, onConfirmed }: PasswordFormProps) {
  const { register, handleSubmit, setFocus } = useForm({ defaultValues: { password: '' } })
  const confirm = useConfirmPassword(email)
  return (
    <form
      noValidate
      className="grid gap-5"
      onSubmit={handleSubmit(({ password }) =>
        confirm.mutate(password, { onSuccess: onConfirmed, onError: () => setFocus('password') }),
      )}
    >
      <input type="hidden" autoComplete="username" value={email} readOnly />
      <Field id="confirm-it" label="Password" error={confirm.isError ? confirmReason(confirm.error) : undefined}>
        <Input
          id="confirm-it"
          type="password"
          autoComplete="current-password"
          autoFocus
          aria-invalid={confirm.isError}
          aria-describedby="confirm-it-problem"
          {...register('password')}
        />
      </Field>
      <div className="flex flex-wrap justify-end gap-3">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" disabled={confirm.isPending}>
          {confirm.isPending ? 'Checking…' : 'Confirm'}
        </Button>
      </div>
    </form>
  )
}
