import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Newspaper, PenLine, Rss, X } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { mayEdit, type ArticleRow, type NewsroomRights } from '@/data/newsroom/model'
import { articlesQuery, draftsQuery, newsroomRightsQuery, RSS_ADDRESS } from '@/data/newsroom/queries'
import { lazyScreen } from '@/lib/lazy-screen'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import type { Prefetch } from '@/lib/prefetch'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { LateDialog } from '@/ui/late-dialog'
import { Loading, PageHeader, Problem, Skeleton } from '@/ui/section'
import { Cover } from '@/features/newsroom/components/cover'
import { Tags } from '@/features/newsroom/components/tags'
import { byline } from '@/features/newsroom/model'

const loadNewArticle = () => import('@/features/newsroom/components/new-article')
const NewArticle = lazyScreen(loadNewArticle)

export const prefetch: Prefetch = (begin, { userId }) => {
  if (userId) void begin(newsroomRightsQuery(userId))
}

/** `/news-reel`: what the newsrooms have published, for everybody; for their writers, the drafts, too. */
export default function NewsroomScreen() {
  usePageTitle('Newsroom')
  const { user } = useSession()
  const { data: rights } = useQuery({ ...newsroomRightsQuery(user?.id ?? ''), enabled: Boolean(user) })
  const [parameters, setParameters] = useSearchParams()
  const tag = parameters.get('tag') ?? ''
  const writes = rights && (rights.site || rights.teams.length > 0)
  return (
    <div className="mx-auto grid w-full max-w-4xl gap-5">
      <PageHeader title="Newsroom">
        <Button asChild variant="ghost">
          <a href={RSS_ADDRESS} type="application/rss+xml">
            <Rss aria-hidden />
            RSS
          </a>
        </Button>
        {writes && (
          <LateDialog
            trigger={
              <Button>
                <PenLine aria-hidden />
                Write
              </Button>
            }
            load={loadNewArticle}
          >
            {(control) => <NewArticle {...control} rights={rights} />}
          </LateDialog>
        )}
      </PageHeader>
      {tag && (
        <Button
          variant="secondary"
          size="sm"
          className="justify-self-start"
          aria-label={`Show all, not only ${tag}`}
          onClick={() => setParameters({}, { preventScrollReset: true })}
        >
          {tag}
          <X aria-hidden />
        </Button>
      )}
      {writes && !tag && <Drafts rights={rights} />}
      <Articles key={tag} tag={tag} />
    </div>
  )
}

function Drafts({ rights }: { rights: NewsroomRights }) {
  const query = useInfiniteQuery(draftsQuery(rights))
  const drafts = query.data?.pages.flat().filter((draft) => mayEdit(draft, rights)) ?? []
  if (query.isError) {
    return <Problem text="Your drafts could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
  }
  if (drafts.length === 0 && !query.hasNextPage) return null
  return (
    <section aria-labelledby="drafts" className="grid gap-1 rounded-xl border border-border bg-card px-4 py-3">
      <h2 id="drafts" className="text-base font-semibold">
        Not published
      </h2>
      <ul className="divide-y divide-border">
        {drafts.map((draft) => (
          <li key={draft.id} className="grid gap-0.5 py-2.5">
            <Link
              to={`${paths.articleById.replace(':id', draft.id)}?edit`}
              className="font-medium wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
            >
              {draft.title}
            </Link>
            <span className="text-sm text-muted-foreground">{byline(draft)}</span>
          </li>
        ))}
      </ul>
      {query.hasNextPage && (
        <Button
          variant="link"
          size="sm"
          className="justify-self-start px-0"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? 'Loading…' : 'Earlier drafts'}
        </Button>
      )}
    </section>
  )
}

function Articles({ tag }: { tag: string }) {
  const query = useInfiniteQuery(articlesQuery(tag))
  const [first, ...others] = query.data?.pages.flat() ?? []
  if (query.isPending) return <ArticlesSkeleton />
  return (
    <>
      {query.isError && (
        <Problem text="The articles could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {first && <Lead article={first} />}
      {others.length > 0 && (
        <ol
          aria-label="Earlier articles"
          className="divide-y divide-border overflow-clip rounded-xl border border-border bg-card"
        >
          {others.map((article) => (
            <li key={article.id}>
              <ArticleItem article={article} />
            </li>
          ))}
        </ol>
      )}
      {query.isSuccess && !first && <Nothing tag={tag} />}
      {query.hasNextPage && (
        <Button
          variant="outline"
          className="justify-self-center"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {query.isFetchingNextPage ? 'Loading…' : 'Show more'}
        </Button>
      )}
    </>
  )
}

/** The latest article, large. */
function Lead({ article }: { article: ArticleRow }) {
  return (
    <article className="relative grid overflow-clip rounded-xl border border-border bg-card md:grid-cols-2">
      <Cover article={article} className="aspect-video md:aspect-auto md:min-h-64" />
      <div className="grid content-center gap-2.5 p-5 sm:p-6">
        <h2 className="text-2xl leading-tight font-bold tracking-tight wrap-anywhere">
          <ArticleLink article={article} />
        </h2>
        {article.summary && <p className="wrap-anywhere text-muted-foreground">{article.summary}</p>}
        <p className="text-sm text-muted-foreground">{byline(article)}</p>
        <Tags tags={article.tags} />
      </div>
    </article>
  )
}

function ArticleItem({ article }: { article: ArticleRow }) {
  return (
    <article className="relative grid grid-cols-[1fr_auto] items-start gap-4 px-4 py-4 hover:bg-muted/50 sm:px-5">
      <div className="grid min-w-0 gap-1">
        <h2 className="text-lg leading-snug font-semibold wrap-anywhere">
          <ArticleLink article={article} />
        </h2>
        {article.summary && (
          <p className="line-clamp-2 text-sm wrap-anywhere text-muted-foreground">{article.summary}</p>
        )}
        <p className="text-sm text-muted-foreground">{byline(article)}</p>
        <Tags tags={article.tags} />
      </div>
      <Cover article={article} className="aspect-video w-24 rounded-lg sm:w-36" />
    </article>
  )
}

/** The whole card leads to the article. */
function ArticleLink({ article: { id, title } }: { article: ArticleRow }) {
  return (
    <Link
      to={paths.articleById.replace(':id', id)}
      className="underline-offset-4 after:absolute after:inset-0 hover:text-primary hover:underline"
    >
      {title}
    </Link>
  )
}

function Nothing({ tag }: { tag: string }) {
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-xl border border-dashed border-border px-4 py-8 text-center">
      <Newspaper aria-hidden className="size-8 text-muted-foreground" />
      <p className="font-semibold">{tag ? `No article is tagged “${tag}”` : 'No article yet'}</p>
      {tag ? (
        <Button asChild variant="outline">
          <Link to={paths.newsReel}>Show all</Link>
        </Button>
      ) : (
        <p className="text-sm text-muted-foreground">Verified coaches write recaps and news of their teams.</p>
      )}
    </div>
  )
}

function ArticlesSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        <Skeleton className="h-64 rounded-xl" />
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-28 rounded-xl" />
        ))}
      </div>
    </Loading>
  )
}
