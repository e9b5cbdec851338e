import { cn } from '@/ui/class-names'

export function Spinner({ className }: { className?: string }) {
  return (
    <span
      role="status"
      aria-label="Loading"
      className={cn(
        'inline-block size-9 animate-spin rounded-full border-[3px] border-primary/20 border-t-primary',
        className,
      )}
    />
  )
}

/** The spinner in the middle of an otherwise empty page. */
export function PageSpinner() {
  return (
    <div className="grid min-h-[60dvh] place-items-center">
      <Spinner />
    </div>
  )
}
