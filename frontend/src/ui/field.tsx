import { Label } from 'radix-ui'
import type { ReactNode } from 'react'
import { cn } from '@/ui/class-names'

type FieldProps = {
  id: string
  label: string
  /** Said after the label in a quieter voice, e.g. "optional". */
  hint?: string
  className?: string
  /** The control, with the same `id`. */
  children: ReactNode
}

export function Field({ id, label, hint, className, children }: FieldProps) {
  return (
    <div className={cn('grid content-end gap-1.5', className)}>
      <Label.Root htmlFor={id} className="text-sm font-medium">
        {label}
        {hint && <span className="font-normal text-muted-foreground"> ({hint})</span>}
      </Label.Root>
      {children}
    </div>
  )
}
