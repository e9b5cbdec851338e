import { Link } from 'react-router'
import { usePhoto } from '@/data/media/queries'
import { paths } from '@/lib/paths'
import { Face } from '@/ui/face'

/** Somebody whose name the reader may not know. */
export const UNNAMED = 'Private member'

export function FaceOf({ name, photo, size = 40 }: { name: string; photo: string | null; size?: 32 | 40 }) {
  return <Face name={name} size={size} {...usePhoto(photo, 'small')} />
}

/** A name that leads to the profile. */
export function NameOf({ id, name }: { id: string; name: string | null }) {
  if (!name) return <span className="font-semibold">{UNNAMED}</span>
  return (
    <Link
      to={paths.playerById.replace(':id', id)}
      className="font-semibold wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
    >
      {name}
    </Link>
  )
}
