import { cva, type VariantProps } from 'class-variance-authority'
import { Slot } from 'radix-ui'
import type { ComponentProps } from 'react'
import { cn } from '@/ui/class-names'

/** Variants and sizes of the specification, section 2, "Button styles". */
const button = cva(
  [
    'inline-flex items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors select-none',
    'disabled:pointer-events-none disabled:opacity-55 [&_svg]:size-4 [&_svg]:shrink-0',
  ],
  {
    variants: {
      variant: {
        default: 'bg-primary text-primary-foreground shadow-sm hover:bg-primary-hover',
        destructive: 'bg-destructive text-destructive-foreground shadow-sm hover:bg-destructive-hover',
        outline: 'border border-input/60 bg-card text-foreground hover:bg-muted',
        secondary: 'bg-secondary text-secondary-foreground hover:bg-secondary-hover',
        ghost: 'hover:bg-foreground/8',
        link: 'text-primary underline-offset-4 hover:underline',
        glow: 'bg-clay font-semibold text-night shadow-[0_0_28px_-4px_var(--color-clay)] hover:bg-[#f09d73] hover:shadow-[0_0_36px_0_var(--color-clay)]',
      },
      size: {
        default: 'h-11 px-4 text-sm md:h-9',
        sm: 'h-9 rounded-md px-3 text-sm md:h-7',
        lg: 'h-12 px-6 text-base',
        icon: 'size-11 md:size-9 [&_svg]:size-5',
      },
    },
    defaultVariants: { variant: 'default', size: 'default' },
  },
)

type ButtonProps = ComponentProps<'button'> &
  VariantProps<typeof button> & {
    /** Draw the child (a link, say) as the button. */
    asChild?: boolean
  }

export function Button({ variant, size, asChild = false, className, type, ...props }: ButtonProps) {
  const classes = cn(button({ variant, size }), className)
  if (asChild) return <Slot.Root className={classes} {...props} />
  return <button type={type ?? 'button'} className={classes} {...props} />
}
