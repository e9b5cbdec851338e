import { RotateCw } from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'

type SectionProps<Data> = {
  title: string
  text: string
  query: Loaded<Data>
  /** The message if the content could not be loaded. */
  problem: string
  /** Buttons below the content. */
  actions?: ReactNode
  /** Has the size of the content until that is loaded, to avoid layout shifts; rows of a list by default. */
  skeleton?: ReactNode
  children: (data: Data) => ReactNode
}

/** What a query, also one by pages, says about its content. */
type Loaded<Data> = {
  data: Data | undefined
  isPending: boolean
  isError: boolean
  error: unknown
  refetch: () => Promise<unknown>
}

/** A card whose content has to be loaded. */
export function Section<Data>(props: SectionProps<Data>) {
  const { title, text, query, problem, actions, skeleton = <RowsSkeleton rows={2} />, children } = props
  return (
    <Card title={title} text={text}>
      {query.isPending && <Loading>{skeleton}</Loading>}
      {query.isError && <Problem text={problem} error={query.error} onRetry={() => void query.refetch()} />}
      {/* A failed refetch does not remove the content, because the user may be typing in it. */}
      {query.data !== undefined && children(query.data)}
      {query.data !== undefined && actions && <div className="flex flex-wrap gap-3">{actions}</div>}
    </Card>
  )
}

/** Announces to screen readers that something is being loaded; its content is decorative. */
export function Loading({ children }: { children: ReactNode }) {
  return (
    <div role="status" aria-label="Loading">
      <div aria-hidden>{children}</div>
    </div>
  )
}

/** A placeholder for content that is being loaded. Its class names give it the size of that content. */
export function Skeleton({ className }: { className?: string }) {
  return <span className={cn('block animate-pulse rounded-lg bg-muted', className)} />
}

/** A placeholder for a list of `Row`. */
export function RowsSkeleton({ rows }: { rows: number }) {
  return (
    <div className="divide-y divide-border">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex items-center gap-3 py-2">
          <Skeleton className="size-10 shrink-0 rounded-xl" />
          <div className="grid grow gap-1.5">
            <Skeleton className="h-4.5 w-2/5" />
            <Skeleton className="h-4 w-3/5" />
          </div>
        </div>
      ))}
    </div>
  )
}

type CardProps = { title: string; text?: ReactNode; aside?: ReactNode; className?: string; children: ReactNode }

/** A part of a screen, with its heading. */
export function Card({ title, text, aside, className, children }: CardProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'grid min-w-0 grid-cols-1 content-start gap-3 rounded-2xl border border-border bg-card p-3 sm:gap-4 sm:p-4',
        className,
      )}
    >
      <header className="flex flex-wrap items-start justify-between gap-3">
        <div>
          <h2 id={id} className="text-base/5.5 font-semibold">
            {title}
          </h2>
          {text && <p className="mt-0.5 text-sm wrap-anywhere text-muted-foreground">{text}</p>}
        </div>
        {aside}
      </header>
      {children}
    </section>
  )
}

type ProblemProps = { text: string; error: unknown; onRetry: () => void }

/** Says what could not be loaded and why, with a button to try again. */
export function Problem({ text, error, onRetry }: ProblemProps) {
  return (
    <div role="alert" className="grid justify-items-start gap-3 rounded-xl bg-accent-soft p-4">
      <p>
        {text} {messageOf(error, '')}
      </p>
      <Button variant="outline" onClick={onRetry}>
        <RotateCw aria-hidden />
        Try again
      </Button>
    </div>
  )
}

type PageHeaderProps = { title: ReactNode; text?: ReactNode; className?: string; children?: ReactNode }

/** The heading of a screen. */
export function PageHeader({ title, text, className, children }: PageHeaderProps) {
  return (
    <header className={cn('flex flex-wrap items-end justify-between gap-4', className)}>
      <div>
        <h1 className="text-2xl/7.5 font-bold wrap-anywhere sm:text-[1.75rem]/8.5">{title}</h1>
        {text && <p className="mt-1 max-w-2xl text-sm wrap-anywhere text-muted-foreground">{text}</p>}
      </div>
      {children && <div className="flex flex-wrap gap-3">{children}</div>}
    </header>
  )
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="rounded-xl border border-dashed border-border px-4 py-5 text-muted-foreground">{children}</p>
}

type RowProps = {
  icon: ReactNode
  name: ReactNode
  facts: string
  /** Shown under it, over the whole width. */
  below?: ReactNode
  children: ReactNode
}

/** An item of a list with its buttons. */
export function Row({ icon, name, facts, below, children }: RowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2">
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-secondary text-primary [&_svg]:size-5">
        {icon}
      </span>
      <div className="min-w-0 grow basis-40">
        <p className="font-medium wrap-anywhere">{name}</p>
        <p className="text-sm text-muted-foreground">{facts}</p>
      </div>
      <div className="flex items-center gap-1">{children}</div>
      {below && <div className="w-full">{below}</div>}
    </li>
  )
}
