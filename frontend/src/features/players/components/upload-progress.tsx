import { Pause, Play, RotateCw, X } from 'lucide-react'
import { useVideoUpload, type VideoUpload } from '@/data/media/upload-list'
import { Button } from '@/ui/button'

// The library for uploads is loaded with the dialog that begins one.
const loadActions = () => import('@/data/media/video-uploads')

const MEGABYTE = 1024 * 1024

/** How a video's upload goes on, with buttons to pause, continue and give up. */
export function UploadProgress({ playerId }: { playerId: string }) {
  const upload = useVideoUpload(playerId)
  if (!upload) return null
  const { title, state, problem, sent, total } = upload
  const resumable = state === 'paused' || state === 'failed' || state === 'unsaved'
  return (
    <div className="grid gap-2 rounded-xl border border-border p-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <p className="min-w-0 font-medium wrap-anywhere">{title}</p>
        <span className="flex gap-2">
          {state === 'running' && (
            <Button
              variant="outline"
              size="sm"
              onClick={() => void loadActions().then((it) => it.pauseUpload(playerId))}
            >
              <Pause aria-hidden />
              Pause
            </Button>
          )}
          {resumable && (
            <Button size="sm" onClick={() => void loadActions().then((it) => it.continueUpload(playerId))}>
              {state === 'paused' ? <Play aria-hidden /> : <RotateCw aria-hidden />}
              {state === 'paused' ? 'Continue' : 'Try again'}
            </Button>
          )}
          <Button
            variant="ghost"
            size="sm"
            aria-label={`Give up the upload of ${title}`}
            disabled={state === 'saving'}
            onClick={() => void loadActions().then((it) => it.cancelUpload(playerId))}
          >
            <X aria-hidden />
          </Button>
        </span>
      </div>
      <progress
        aria-label={`Upload of ${title}`}
        value={sent}
        max={Math.max(total, 1)}
        className="h-2 w-full appearance-none overflow-hidden rounded-full bg-muted [&::-moz-progress-bar]:bg-primary [&::-webkit-progress-bar]:bg-muted [&::-webkit-progress-value]:bg-primary"
      />
      <p
        role={problem ? 'alert' : 'status'}
        className={problem ? 'text-sm text-destructive' : 'text-sm text-muted-foreground'}
      >
        {problem || said(upload)}
      </p>
    </div>
  )
}

function said({ state, sent, total }: VideoUpload): string {
  if (state === 'saving') return 'Adding it to the profile…'
  const amount = `${(sent / MEGABYTE).toFixed(1)} of ${(total / MEGABYTE).toFixed(1)} MB`
  return state === 'paused' ? `Paused at ${amount}` : `${amount}. You can go on using Dugout; keep this tab open.`
}
