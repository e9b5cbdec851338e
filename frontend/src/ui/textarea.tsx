import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'
import { CONTROL } from '@/ui/input'

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea className={cn(CONTROL, 'h-auto min-h-28 py-2.5', className)} {...props} />
}
