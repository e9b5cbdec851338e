import { useQuery } from '@tanstack/react-query'
import { Camera } from 'lucide-react'
import { usePhotoChanges } from '@/data/media/mutations'
import { mayKeepFilesQuery, usePhoto } from '@/data/media/queries'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Face } from '@/ui/face'
import { PictureDialog } from '@/ui/picture-dialog'
import type { Output } from '@/ui/pictures'

/** The sizes of a photo in pixels: for a page, and for lists. */
const SIZES: readonly Output[] = [
  { side: 512, type: 'image/jpeg' },
  { side: 96, type: 'image/jpeg' },
]

type PortraitProps = {
  id: string
  name: string
  photo: string | null
  /** Whether the viewer may be the one who changes it; the database decides. */
  editable: boolean
}

/** The photo on a person's page, with a button to change it. */
export function Portrait({ id, name, photo, editable }: PortraitProps) {
  const { user } = useSession()
  const { data: kept = false } = useQuery({ ...mayKeepFilesQuery(id), enabled: editable && Boolean(user) })
  const changes = usePhotoChanges(id)
  const { url, onBroken } = usePhoto(photo, 'large', id)
  return (
    <span className="relative shrink-0 print:hidden">
      <Face
        name={name}
        url={url}
        size={84}
        alt={`Photo of ${name}`}
        onBroken={onBroken}
        className="sm:size-38! sm:text-[3.6rem]!"
      />
      {editable && kept && (
        <PictureDialog
          trigger={
            <Button
              variant="secondary"
              size="icon"
              aria-label={photo ? 'Change the photo' : 'Add a photo'}
              className="absolute -right-2 -bottom-2 rounded-full shadow-md ring-2 ring-background"
            >
              <Camera aria-hidden />
            </Button>
          }
          title={photo ? 'Change the photo' : 'Add a photo'}
          text="Those who see the profile see it. The place where it was taken is removed."
          shape="face"
          outputs={SIZES}
          onSave={changes.save}
          onRemove={photo ? changes.remove : undefined}
        />
      )}
    </span>
  )
}
