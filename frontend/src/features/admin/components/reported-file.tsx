import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReportedMedia } from '@/data/admin/lists'
import { fileUrlQuery } from '@/data/media/queries'
import { isVideo } from '@/data/timeline/model'

/** A reported photo or video. Nothing of it is loaded or shown before the admin opens it. */
export function ReportedFile({ media }: { media: ReportedMedia }) {
  const [open, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="cursor-pointer text-muted-foreground">
        {isVideo(media.path) ? 'Show the video' : 'Show the picture'}
      </summary>
      {open && <File media={media} />}
    </details>
  )
}

function File({ media: { bucket, path, alt } }: { media: ReportedMedia }) {
  const { data: url, isPending, refetch } = useQuery(fileUrlQuery(bucket, path))
  if (isPending) return <p role="status">Loading…</p>
  if (!url) return <p>The file is not there any more.</p>
  const box = 'mt-1 max-h-96 w-full max-w-md rounded-lg bg-muted object-contain'
  if (isVideo(path)) {
    const retry = () => void refetch()
    return <video src={url} controls playsInline aria-label={alt || 'Reported video'} className={box} onError={retry} />
  }
  return <img src={url} alt={alt || 'Reported picture'} className={box} />
}
