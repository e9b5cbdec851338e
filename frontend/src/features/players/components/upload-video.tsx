import { Upload } from 'lucide-react'
import { lazyScreen } from '@/lib/lazy-screen'
import { Button } from '@/ui/button'
import { LateDialog } from '@/ui/late-dialog'

const load = () => import('@/features/players/components/upload-video-form')
const UploadVideoForm = lazyScreen(load)

/** A button to upload a video from the device. */
export function UploadVideo({ playerId }: { playerId: string }) {
  return (
    <LateDialog
      trigger={
        <Button variant="outline" className="print:hidden">
          <Upload aria-hidden />
          Upload video
        </Button>
      }
      load={load}
    >
      {(control) => <UploadVideoForm playerId={playerId} {...control} />}
    </LateDialog>
  )
}
