import { Label } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '@/ui/class-names'

type FieldProps = {
  id: string
  label: string
  /** Said after the label in a quieter voice, e.g. "optional". */
  hint?: string
  className?: string
  /** What is wrong with it, said next to it. */
  error?: string
  /** What helps to fill it in. */
  help?: string
  /** The control, with the same `id`. */
  children: ReactNode
}

export function Field({ id, label, hint, className, error, help, children }: FieldProps) {
  return (
    <div className={cn('grid content-start gap-1.5', className)}>
      <Label.Root htmlFor={id} className="text-sm font-medium">
        {label}
        {hint && <span className="font-normal text-muted-foreground"> ({hint})</span>}
      </Label.Root>
      {children}
      {help && !error && (
        <p id={`${id}-help`} className="text-sm text-muted-foreground">
          {help}
        </p>
      )}
      {error && (
        <p id={`${id}-problem`} role="alert" className="text-sm text-destructive">
          {error}
        </p>
      )}
    </div>
  )
}

/** What a control says of itself when its `Field` has an `error` or a `help`. */
export function described(id: string, error?: string, help?: string) {
  return {
    id,
    'aria-invalid': Boolean(error),
    'aria-describedby': error ? `${id}-problem` : help ? `${id}-help` : undefined,
  }
}
