import { usePhoto } from '@/data/media/queries'
import { Face } from '@/ui/face'

/** A face beside a name in a list. */
export function PersonFace({ name, photo }: { name: string; photo: string | null }) {
  return <Face name={name} size={32} {...usePhoto(photo, 'small')} />
}
