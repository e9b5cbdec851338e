import { useQuery } from '@tanstack/react-query'
import { fileUrlQuery } from '@/data/media/queries'
import { isVideo, type Post } from '@/data/timeline/model'
import { Skeleton } from '@/ui/section'

type PostMediaProps = Pick<Post, 'media_width' | 'media_height' | 'media_alt'> & { path: string; name: string }

/** The photo or video of a post. Its height is reserved before it arrives. */
export function PostMedia({ path, media_width, media_height, media_alt, name }: PostMediaProps) {
  const { data: url, isPending, refetch } = useQuery(fileUrlQuery('post-media', path))
  const video = isVideo(path)
  const ratio = video || !media_width || !media_height ? 16 / 9 : media_width / media_height
  // A tall picture is not taller than a screen.
  const box = { aspectRatio: ratio, width: `min(100%, calc(32rem * ${ratio}))` }
  if (isPending) {
    return (
      <div style={box}>
        <Skeleton className="size-full rounded-xl" />
      </div>
    )
  }
  if (!url) {
    return (
      <p
        style={box}
        className="grid place-items-center rounded-xl bg-muted p-4 text-center text-sm text-muted-foreground"
      >
        {video ? 'This video cannot be shown.' : 'This picture cannot be shown.'}
      </p>
    )
  }
  if (video) {
    return (
      <video
        src={url}
        controls
        playsInline
        preload="metadata"
        aria-label={media_alt || `Video of ${name}`}
        style={box}
        className="rounded-xl bg-night object-contain"
        onError={() => void refetch()}
      />
    )
  }
  return (
    <img
      src={url}
      alt={media_alt || `Picture by ${name}`}
      width={media_width ?? undefined}
      height={media_height ?? undefined}
      loading="lazy"
      style={box}
      className="rounded-xl bg-muted object-cover"
    />
  )
}
