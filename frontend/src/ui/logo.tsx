import { cn } from '@/ui/class-names'

/** The mark (a diamond with home plate lit) and the name. */
export function Logo({ className }: { className?: string }) {
  return (
    <span className={cn('flex items-center gap-2.5', className)}>
      <LogoMark className="size-8" />
      <span className="font-display text-xl font-bold tracking-tight">Dugout</span>
    </span>
  )
}

export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className}>
      <rect width="32" height="32" rx="8" className="fill-primary" />
      <path
        d="M16 6 26 16 16 26 6 16Z"
        fill="none"
        className="stroke-primary-foreground"
        strokeWidth="2.2"
        strokeLinejoin="round"
      />
      <path d="m16 22.8 2.9 2.9L16 28.6l-2.9-2.9Z" className="fill-clay" />
    </svg>
  )
}
