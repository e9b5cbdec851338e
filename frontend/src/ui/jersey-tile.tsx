import { cn } from '@/ui/class-names'

/** Stands for a person without a photograph: the initials on pinstripes. Decorative, beside the name. */
export function JerseyTile({ name, className }: { name: string; className?: string }) {
  const words = name.trim().split(/\s+/)
  const initials = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => word?.[0] ?? '').join('')
  return (
    <span
      aria-hidden
      className={cn(
        'grid size-10 shrink-0 place-items-center rounded-full font-display text-sm font-extrabold text-white uppercase',
        'bg-night-raised bg-[repeating-linear-gradient(90deg,transparent_0_7px,rgb(255_255_255/13%)_7px_8px)]',
        className,
      )}
    >
      {initials}
    </span>
  )
}
