import { Link } from 'react-router'
import { paths } from '@/lib/paths'

/** The tags of an article; each leads to its articles. */
export function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul aria-label="Tags" className="relative z-1 flex flex-wrap gap-1.5 justify-self-start">
      {tags.map((tag) => (
        <li key={tag}>
          <Link
            to={`${paths.newsReel}?tag=${encodeURIComponent(tag)}`}
            className="inline-flex h-7 items-center rounded bg-secondary px-2 text-xs text-secondary-foreground hover:bg-secondary-hover"
          >
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  )
}
