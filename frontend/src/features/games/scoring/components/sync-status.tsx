import { CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import { unsentOf } from '@/data/games/kept'
import type { BookState } from '@/features/games/scoring/scorebook'

/** Whether the plays are saved: "Saved", or how many this device keeps. */
export function SyncStatus({ state }: { state: BookState }) {
  const { queued, overrides, status, trouble, unlogged, blocked } = state
  const kept = queued.length + unsentOf(overrides).length
  const [Icon, text] = blocked
    ? [CloudOff, 'Not scoring here']
    : status === 'offline'
      ? [CloudOff, `Offline, ${kept} kept`]
      : trouble || unlogged
        ? [CloudOff, `Not saved, ${kept} kept`]
        : kept > 0 || status === 'saving'
          ? [CloudUpload, 'Saving']
          : [CloudCheck, 'Saved']
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg bg-muted px-3 py-1.5 text-sm font-medium">
      <Icon aria-hidden className="size-4" />
      {text}
    </p>
  )
}
