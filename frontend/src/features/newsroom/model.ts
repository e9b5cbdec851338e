import type { ArticleRow } from '@/data/newsroom/model'
import { moment, shortDay } from '@/lib/format'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/newsroom/schemas')

/** "Cedar Falls Herons · Cam Coach · May 2", without what is unknown. */
export function byline({ team, author, published_at, status }: ArticleRow, now = new Date()): string {
  const when =
    status === 'draft'
      ? 'Draft'
      : published_at && new Date(published_at) > now
        ? `Scheduled for ${moment(published_at)}`
        : shortDay(published_at, now)
  return [team?.name ?? 'Dugout', author?.full_name, when].filter(Boolean).join(' · ')
}

/** The tags of a text with commas: small letters, each once. */
export const parseTags = (text: string): string[] => [
  ...new Set(
    text
      .toLowerCase()
      .split(',')
      .map((tag) => tag.trim())
      .filter(Boolean),
  ),
]

/** Minutes to read a text, at least one. */
export const minutes = (body: string) => Math.max(1, Math.round(body.trim().split(/\s+/).length / 220))
