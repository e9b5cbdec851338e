import { CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import type { BookState } from '@/features/games/scoring/scorebook'

/** Whether the plays are saved: "Saved", or how many this device keeps. */
export function SyncStatus({ state }: { state: BookState }) {
  const { queued, status, trouble, blocked } = state
  const [Icon, text] = blocked
    ? [CloudOff, 'Not scoring here']
    : status === 'offline'
      ? [CloudOff, `Offline, ${queued.length} kept`]
      : trouble
        ? [CloudOff, `Not saved, ${queued.length} kept`]
        : queued.length > 0 || status === 'saving'
          ? [CloudUpload, 'Saving']
          : [CloudCheck, 'Saved']
  return (
    <p role="status" className="flex items-center gap-2 rounded-lg bg-muted px-3 py-1.5 text-sm font-medium">
      <Icon aria-hidden className="size-4" />
      {text}
    </p>
  )
}
