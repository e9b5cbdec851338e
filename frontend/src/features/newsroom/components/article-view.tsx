import { Link } from 'react-router'
import { isPublic, type Article } from '@/data/newsroom/model'
import { day } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Report } from '@/lib/report'
import { Cover } from '@/features/newsroom/components/cover'
import { Markdown } from '@/features/newsroom/markdown'
import { byline, minutes } from '@/features/newsroom/model'

/** An article as readers see it. */
export function ArticleView({ article }: { article: Article }) {
  const { id, title, summary, body, corrections, game_id, author_id } = article
  return (
    <article className="grid gap-5">
      <header className="grid gap-3">
        <h1 className="text-4xl leading-tight font-bold tracking-tight wrap-anywhere">{title}</h1>
        {summary && <p className="text-lg wrap-anywhere text-muted-foreground">{summary}</p>}
        <p className="flex flex-wrap items-center justify-between gap-x-3 text-sm text-muted-foreground">
          <span>
            {byline(article)} · {minutes(body)} min
          </span>
          {isPublic(article) && (
            <Report subjectKind="article" subjectId={id} subjectUserId={author_id} name="this article" />
          )}
        </p>
      </header>
      {article.cover && <Cover article={article} className="aspect-video rounded-xl" />}
      <Markdown text={body} />
      {game_id && (
        <Link
          to={paths.gameById.replace(':id', game_id)}
          className="justify-self-start font-medium text-primary underline underline-offset-4"
        >
          Box score and plays
        </Link>
      )}
      {corrections.length > 0 && (
        <section aria-labelledby="corrections" className="grid gap-2 rounded-lg bg-muted p-4 text-sm">
          <h2 id="corrections" className="text-base font-semibold">
            {corrections.length === 1 ? 'Correction' : 'Corrections'}
          </h2>
          <ul className="grid gap-2">
            {corrections.map(({ id, note, corrected_at }) => (
              <li key={id} className="wrap-anywhere">
                <time dateTime={corrected_at} className="font-medium">
                  {day(corrected_at)}
                </time>{' '}
                {note}
              </li>
            ))}
          </ul>
        </section>
      )}
    </article>
  )
}
