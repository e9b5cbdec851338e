import type { ComponentProps } from 'react'
import { Input } from '@/ui/input'
import { CODE_LENGTH } from '@/features/settings/model'

/** Where a code of six digits goes. */
export function CodeInput(props: ComponentProps<'input'>) {
  return (
    <Input
      className="text-center font-display text-2xl tracking-[0.35em] sm:text-2xl"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={CODE_LENGTH + 2}
      autoFocus
      aria-required
      {...props}
    />
  )
}
