import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { fileUrlQuery } from '@/data/media/queries'
import { Problem, Skeleton } from '@/ui/section'

/** Seconds within which a video that fails twice is not tried again. */
const PATIENCE = 5

type VideoPlayerProps = { playerId: string; path: string; title: string }

/** Plays an uploaded video. When its URL ends meanwhile, it goes on with another where it was. */
export function VideoPlayer({ playerId, path, title }: VideoPlayerProps) {
  const query = useQuery(fileUrlQuery('profile-videos', path, playerId))
  const video = useRef<HTMLVideoElement>(null)
  const place = useRef(0)
  const [failed, setFailed] = useState<string>()
  const { data: url, dataUpdatedAt } = query

  function stopped() {
    place.current = video.current?.currentTime ?? 0
    const tried = Date.now() - dataUpdatedAt < PATIENCE * 1000
    if (tried) setFailed(url ?? undefined)
    else void query.refetch()
  }

  if (query.isPending) return <Skeleton className="aspect-video w-full rounded-xl" />
  if (!url || failed === url) {
    const error = query.error ?? new Error('It may have been removed, or this browser cannot play it.')
    return <Problem text="This video cannot be played." error={error} onRetry={() => void query.refetch()} />
  }
  return (
    <video
      ref={video}
      key={url}
      src={url}
      controls
      autoPlay
      playsInline
      preload="metadata"
      aria-label={title}
      className="aspect-video w-full rounded-xl bg-night object-contain"
      onLoadedMetadata={(event) => {
        if (place.current > 0) event.currentTarget.currentTime = place.current
      }}
      onError={stopped}
    />
  )
}
