import { useCover } from '@/data/media/queries'
import type { ArticleRow } from '@/data/newsroom/model'
import { cn } from '@/ui/class-names'
import { DiamondArt } from '@/ui/diamond-art'

/** The picture of an article; without one, the lines of a field. */
export function Cover({ article, className }: { article: Pick<ArticleRow, 'cover' | 'cover_alt'>; className: string }) {
  const { url, onBroken } = useCover(article.cover)
  return (
    <span className={cn('relative block overflow-hidden bg-night text-night-line', className)}>
      {!article.cover && <DiamondArt className="absolute inset-0 m-auto size-[120%] max-w-none" />}
      {url && (
        <img src={url} alt={article.cover_alt} className="absolute inset-0 size-full object-cover" onError={onBroken} />
      )}
    </span>
  )
}
