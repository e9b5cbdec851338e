import { BadgeCheck, CircleDashed, NotebookPen, RadioTower, UserCheck, type LucideIcon } from 'lucide-react'
import { cn } from '@/ui/class-names'

const LEVELS: Readonly<Record<string, { word: string; short: string; icon: LucideIcon; color: string }>> = {
  event: { word: 'Measured at an event', short: 'Event', icon: BadgeCheck, color: 'text-success' },
  coach: { word: 'Confirmed by a coach', short: 'Coach', icon: UserCheck, color: 'text-success' },
  device: { word: 'Recorded by a device', short: 'Device', icon: RadioTower, color: 'text-info' },
  scorebook: { word: 'From the scorebook', short: 'Book', icon: NotebookPen, color: 'text-info' },
  self: { word: 'Self-reported', short: 'Self', icon: CircleDashed, color: 'text-muted-foreground' },
}

type EvidenceProps = {
  source: string
  verified: boolean
  /** Where there is room, a short word stands beside the icon. */
  named?: boolean
}

/** Who vouches for a number: a person (green), a record (blue), or the player alone (grey). Its word is read aloud. */
export function Evidence({ source, verified, named = false }: EvidenceProps) {
  // A verified number of the player's own is a coach's, too.
  const level = LEVELS[verified && source === 'self' ? 'coach' : source]
  if (!level) return null
  const { word, short, icon: Icon, color } = level
  return (
    <span title={word} className={cn('inline-flex items-center gap-1 align-[-2px]', color)}>
      <Icon aria-hidden className="size-3.5" />
      {named && <span aria-hidden>{short}</span>}
      <span className="sr-only">{word}</span>
    </span>
  )
}
