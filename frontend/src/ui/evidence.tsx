import { BadgeCheck, CircleDashed, NotebookPen, RadioTower, UserCheck, type LucideIcon } from 'lucide-react'
import { cn } from '@/ui/class-names'

const LEVELS: Readonly<Record<string, { word: string; icon: LucideIcon; color: string }>> = {
  event: { word: 'Measured at an event', icon: BadgeCheck, color: 'text-success' },
  coach: { word: 'Confirmed by a coach', icon: UserCheck, color: 'text-success' },
  device: { word: 'Recorded by a device', icon: RadioTower, color: 'text-info' },
  scorebook: { word: 'From the scorebook', icon: NotebookPen, color: 'text-info' },
  self: { word: 'Self-reported', icon: CircleDashed, color: 'text-muted-foreground' },
}

/** Who vouches for a number: a person (green), a record (blue), or the player alone (grey). Its word is read aloud. */
export function Evidence({ source, verified }: { source: string; verified: boolean }) {
  // A verified number of the player's own is a coach's, too.
  const level = LEVELS[verified && source === 'self' ? 'coach' : source]
  if (!level) return null
  const { word, icon: Icon, color } = level
  return (
    <span title={word} className={cn('inline-flex align-[-2px]', color)}>
      <Icon aria-hidden className="size-3.5" />
      <span className="sr-only">{word}</span>
    </span>
  )
}
