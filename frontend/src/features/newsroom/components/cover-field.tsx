import { ImagePlus, X } from 'lucide-react'
import { useRef, useState, type ReactNode } from 'react'
import type { Article } from '@/data/newsroom/model'
import { useArticleChanges } from '@/data/newsroom/mutations'
import { explain } from '@/lib/explain'
import { Button } from '@/ui/button'
import { Cover } from '@/features/newsroom/components/cover'

/** The longer side of a cover, in pixels. */
const COVER_SIDE = 1600

type CoverFieldProps = {
  article: Article
  userId: string
  /** The field for what the picture shows. */
  children: ReactNode
}

/** The cover: chosen, replaced or taken away at once. */
export function CoverField({ article, userId, children }: CoverFieldProps) {
  const { cover } = useArticleChanges(article.id)
  const [problem, setProblem] = useState('')
  const input = useRef<HTMLInputElement>(null)

  async function choose(file: File | null) {
    setProblem('')
    try {
      let picture: Blob | null = null
      if (file) {
        const { readPicture, shrunk } = await import('@/ui/pictures')
        const image = await readPicture(file)
        picture = (await shrunk(image, COVER_SIDE).finally(() => URL.revokeObjectURL(image.src))).blob
      }
      await cover.mutateAsync({ userId, picture })
    } catch (error) {
      setProblem(explain(error, 'The cover was not saved. Try again.'))
    }
  }

  return (
    <div className="grid content-start gap-2">
      <span className="text-sm font-medium">Cover</span>
      {article.cover ? (
        <>
          <div className="relative">
            <Cover article={article} className="aspect-video rounded-lg" />
            <Button
              variant="secondary"
              size="icon"
              aria-label="Take the cover away"
              className="absolute top-2 right-2"
              disabled={cover.isPending}
              onClick={() => void choose(null)}
            >
              <X aria-hidden />
            </Button>
          </div>
          {children}
        </>
      ) : (
        <Button variant="outline" className="h-11" disabled={cover.isPending} onClick={() => input.current?.click()}>
          <ImagePlus aria-hidden />
          {cover.isPending ? 'Uploading…' : 'Choose a picture'}
        </Button>
      )}
      <input
        ref={input}
        type="file"
        accept="image/*"
        aria-label="Cover picture"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const file = event.target.files?.[0]
          // The same file can be chosen again.
          event.target.value = ''
          if (file) void choose(file)
        }}
      />
      {problem && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
    </div>
  )
}
