import { MailCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { resendReason } from '@/data/auth/messages'
import { useResendConfirmation } from '@/data/auth/sign-up'
import { Button } from '@/ui/button'

/** Seconds between two e-mails to one address; the server refuses earlier ones (`auth.email.max_frequency`). */
const PAUSE = 60

type Props = { email: string; onBack: () => void }

/** Section 4: shown while the address awaits confirmation. Sends the e-mail again on request. */
export function AwaitingConfirmation({ email, onBack }: Props) {
  const resend = useResendConfirmation()
  const [left, pause] = useCountdown()
  return (
    <div className="grid gap-5">
      <div className="flex items-start gap-4 rounded-xl border border-border bg-card p-5">
        <span className="grid size-11 shrink-0 place-items-center rounded-xl bg-secondary text-primary">
          <MailCheck aria-hidden className="size-5" />
        </span>
        <div className="grid gap-1">
          <p className="font-medium wrap-anywhere">We sent a link to {email}</p>
          <p className="text-sm text-muted-foreground">
            Open it on any device, then sign in. Nothing there? Look in your spam folder, or send it again.
          </p>
        </div>
      </div>
      <p role="status" className="min-h-5 text-sm text-muted-foreground">
        {resend.isSuccess && 'Sent again. The newest link is the one that works.'}
        {resend.isError && <span className="text-destructive">{resendReason(resend.error)}</span>}
      </p>
      <Button
        size="lg"
        disabled={resend.isPending || left > 0}
        onClick={() => resend.mutate(email, { onSuccess: () => pause(PAUSE) })}
      >
        {resend.isPending ? 'Sending…' : left > 0 ? `Send again in ${left} s` : 'Send the link again'}
      </Button>
      <Button variant="link" className="justify-self-center" onClick={onBack}>
        Sign in or use another address
      </Button>
    </div>
  )
}

/** The seconds left, and a function that restarts the countdown. */
function useCountdown(): [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left === 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
