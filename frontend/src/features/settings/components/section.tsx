import type { UseQueryResult } from '@tanstack/react-query'
import { RotateCw } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { Spinner } from '@/ui/spinner'

type SectionProps<Data> = {
  title: string
  text: string
  query: UseQueryResult<Data>
  /** Said when the list could not be loaded. */
  problem: string
  /** What can be added. */
  actions: ReactNode
  children: (data: Data) => ReactNode
}

/** A card with a list that has to be loaded. */
export function Section<Data>({ title, text, query, problem, actions, children }: SectionProps<Data>) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-5 rounded-2xl border border-border bg-card p-5 sm:p-6">
      <header>
        <h2 id={id} className="text-xl font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-muted-foreground">{text}</p>
      </header>
      {query.isPending && (
        <div className="grid place-items-center py-4">
          <Spinner />
        </div>
      )}
      {query.isError && (
        <div role="alert" className="grid justify-items-start gap-3 rounded-xl bg-accent-soft p-4">
          <p>
            {problem} {messageOf(query.error, '')}
          </p>
          <Button variant="outline" onClick={() => void query.refetch()}>
            <RotateCw aria-hidden />
            Try again
          </Button>
        </div>
      )}
      {query.isSuccess && children(query.data)}
      {query.isSuccess && <div className="flex flex-wrap gap-3">{actions}</div>}
    </section>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="rounded-xl border border-dashed border-border px-4 py-5 text-muted-foreground">{children}</p>
}

type RowProps = { icon: ReactNode; name: string; facts: string; children: ReactNode }

/** One thing of the list, with what can be done to it. */
export function Row({ icon, name, facts, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-secondary text-primary [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0 grow basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-muted-foreground">{facts}</p>
      </div>
      <div className="flex gap-1">{children}</div>
    </li>
  )
}
