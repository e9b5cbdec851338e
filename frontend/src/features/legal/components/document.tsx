import { usePageTitle } from '@/lib/page-title'
import { PageHeader } from '@/ui/section'

export type Chapter = { title: string; paragraphs: readonly string[] }

type DocumentProps = { title: string; updated: string; lead: string; chapters: readonly Chapter[] }

/** A text to be read from top to bottom. */
export function Document({ title, updated, lead, chapters }: DocumentProps) {
  usePageTitle(title)
  return (
    <article className="mx-auto grid max-w-2xl gap-8">
      <PageHeader title={title} text={`Last changed ${updated}`} />
      <p className="text-lg">{lead}</p>
      {chapters.map((chapter) => (
        <section key={chapter.title} className="grid gap-3">
          <h2 className="text-xl font-semibold">{chapter.title}</h2>
          {chapter.paragraphs.map((paragraph) => (
            <p key={paragraph} className="leading-relaxed">
              {paragraph}
            </p>
          ))}
        </section>
      ))}
    </article>
  )
}
