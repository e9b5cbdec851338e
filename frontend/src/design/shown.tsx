import type { ReactNode } from 'react'

/** A component of src/ui, under its name, in each of its states. */
export function Shown({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name} className="grid min-w-0 content-start gap-3 border-t border-border pt-4">
      <h2 className="text-base font-semibold">{name}</h2>
      {children}
    </section>
  )
}

/** One state, and what it is called. */
export function State({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid min-w-0 content-start gap-1.5">
      <p className="text-xs text-muted-foreground">{name}</p>
      <div className="flex min-w-0 flex-wrap items-center gap-2">{children}</div>
    </div>
  )
}
