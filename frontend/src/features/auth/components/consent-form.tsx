import { Check, ExternalLink } from 'lucide-react'
import { useDecide } from '@/data/auth/mutations'
import { Button } from '@/ui/button'
import { destination, scopesInWords } from '@/features/auth/model'

type Request = { authorization_id: string; redirect_uri: string; scope: string; user: { email: string } }

/** What the other app wants, and the two answers. */
export function ConsentForm({ request, onOtherAccount }: { request: Request; onOtherAccount: () => void }) {
  const decide = useDecide(request.authorization_id)
  const decided = decide.isPending || decide.isSuccess
  return (
    <>
      <section className="rounded-2xl border border-border bg-card p-5">
        <h2 className="font-semibold">It will be able to</h2>
        <ul className="mt-3 grid gap-2">
          {scopesInWords(request.scope).map((words) => (
            <li key={words} className="flex gap-3">
              <Check aria-hidden className="mt-1 size-4 shrink-0 text-primary" />
              <span className="wrap-anywhere">{words}</span>
            </li>
          ))}
        </ul>
      </section>
      <p className="mt-4 flex gap-3 text-sm text-muted-foreground">
        <ExternalLink aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span>
          You will go on to{' '}
          <strong className="text-foreground wrap-anywhere">{destination(request.redirect_uri)}</strong>. Allow this
          only if you trust it.
        </span>
      </p>
      <div className="mt-6 grid gap-3 sm:grid-cols-2">
        <Button variant="outline" size="lg" disabled={decided} onClick={() => decide.mutate('deny')}>
          Deny
        </Button>
        <Button size="lg" disabled={decided} onClick={() => decide.mutate('approve')}>
          Allow
        </Button>
      </div>
      <p className="mt-6 text-sm text-muted-foreground">
        Signed in as <span className="font-medium text-foreground wrap-anywhere">{request.user.email}</span>.{' '}
        <Button variant="link" className="h-auto p-0" disabled={decided} onClick={onOtherAccount}>
          Use another account
        </Button>
      </p>
    </>
  )
}
