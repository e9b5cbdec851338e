import { ImagePlus, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { isVideo, type Media } from '@/data/timeline/model'
import { Button } from '@/ui/button'
import { Spinner } from '@/ui/spinner'
import { PostMedia } from '@/features/timeline/components/post-media'

/** The longer side of a photo, in pixels. */
const PHOTO_SIDE = 2048

/** The file of a post that is being written. */
export function useAttachment(userId: string) {
  const [media, setMedia] = useState<Media>()
  /** From 0 to 1 while a file is on its way. */
  const [share, setShare] = useState<number>()
  const [problem, setProblem] = useState('')

  async function choose(file: File) {
    setProblem('')
    setShare(0)
    // Loaded here, because most posts have no file.
    const { mediaProblem, uploadClip, uploadPhoto } = await import('@/data/timeline/media')
    try {
      if (file.type.startsWith('video/')) setMedia(await uploadClip(userId, file, setShare))
      else {
        const { PictureProblem, readPicture, shrunk } = await import('@/ui/pictures')
        try {
          const image = await readPicture(file)
          const photo = await shrunk(image, PHOTO_SIDE).finally(() => URL.revokeObjectURL(image.src))
          setMedia(await uploadPhoto(userId, photo))
        } catch (error) {
          setProblem(error instanceof PictureProblem ? error.message : mediaProblem(error))
        }
      }
    } catch (error) {
      setProblem(mediaProblem(error))
    } finally {
      setShare(undefined)
    }
  }

  function discard() {
    if (media) void import('@/data/timeline/media').then(({ discardMedia }) => discardMedia(media.path))
    setMedia(undefined)
  }

  return { media, share, problem, choose, discard, sent: () => setMedia(undefined) }
}

type Attachment = ReturnType<typeof useAttachment>

/** Shows the file that goes with the post, and how far it is. */
export function AttachmentView({ attachment: { media, share, problem, discard } }: { attachment: Attachment }) {
  if (share !== undefined) {
    return (
      <p role="status" className="flex items-center gap-2 text-sm text-muted-foreground">
        <Spinner className="size-4" />
        {share > 0 ? `Uploading… ${Math.round(share * 100)} %` : 'Uploading…'}
      </p>
    )
  }
  return (
    <>
      {problem && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      {media && (
        <div className="relative justify-self-start">
          <PostMedia
            path={media.path}
            media_width={media.width}
            media_height={media.height}
            media_alt={media.alt}
            name="yours"
          />
          <Button
            variant="secondary"
            size="icon"
            aria-label={isVideo(media.path) ? 'Take the video away' : 'Take the photo away'}
            className="absolute top-2 right-2"
            onClick={discard}
          >
            <X aria-hidden />
          </Button>
        </div>
      )}
    </>
  )
}

/** The button that chooses a photo or a video. */
export function AttachButton({ attachment: { media, share, choose } }: { attachment: Attachment }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        variant="ghost"
        className="text-muted-foreground max-sm:w-10 max-sm:px-0"
        disabled={Boolean(media) || share !== undefined}
        onClick={() => input.current?.click()}
      >
        <ImagePlus aria-hidden />
        <span className="max-sm:sr-only">Photo or video</span>
      </Button>
      <input
        ref={input}
        type="file"
        aria-label="Photo or video of the post"
        accept="image/*,video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file can be chosen again.
          event.target.value = ''
          if (file) void choose(file)
        }}
      />
    </>
  )
}
