import { useQuery } from '@tanstack/react-query'
import { ArrowLeft, PenLine } from 'lucide-react'
import { Suspense } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { isPublic, mayEdit, type Article } from '@/data/newsroom/model'
import { articleQuery, newsroomRightsQuery } from '@/data/newsroom/queries'
import { postingRightsQuery } from '@/data/timeline/queries'
import { lazyScreen } from '@/lib/lazy-screen'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import type { Prefetch } from '@/lib/prefetch'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Loading, Problem, Skeleton } from '@/ui/section'
import { ArticleView } from '@/features/newsroom/components/article-view'
import { Tags } from '@/features/newsroom/components/tags'

const Editor = lazyScreen(() => import('@/features/newsroom/components/editor'))
const ArticleComments = lazyScreen(() => import('@/features/newsroom/components/article-comments'))

export const prefetch: Prefetch = (begin, { pathname, userId }) => {
  const id = pathname.split('/')[2]
  if (id) void begin(articleQuery(id))
  if (userId) void begin(newsroomRightsQuery(userId))
}

/** `/news-reel/{id}`: an article; for its newsroom with `?edit`, its editor. */
export default function ArticleScreen() {
  const { id = '' } = useParams()
  const { user } = useSession()
  const query = useQuery(articleQuery(id))
  const rights = useQuery({ ...newsroomRightsQuery(user?.id ?? ''), enabled: Boolean(user) })
  usePageTitle(query.data?.title ?? 'Newsroom')
  const waiting = query.isPending || (user !== null && rights.isPending)
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-6">
      <Button asChild variant="link" className="h-7 justify-self-start px-0">
        <Link to={paths.newsReel}>
          <ArrowLeft aria-hidden />
          Newsroom
        </Link>
      </Button>
      {waiting && <ArticleSkeleton />}
      {query.isError && (
        <Problem text="The article could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!waiting && query.data === null && <Missing />}
      {!waiting && query.data && (
        <Content
          key={query.data.id}
          article={query.data}
          userId={user?.id ?? null}
          editable={mayEdit(query.data, rights.data)}
        />
      )}
    </div>
  )
}

type ContentProps = { article: Article; userId: string | null; editable: boolean }

function Content({ article, userId, editable }: ContentProps) {
  const [parameters, setParameters] = useSearchParams()
  if (editable && userId && parameters.has('edit')) {
    return (
      <Suspense fallback={<ArticleSkeleton />}>
        <Editor article={article} userId={userId} onDone={() => setParameters({})} />
      </Suspense>
    )
  }
  return (
    <>
      {editable && (
        <Button variant="outline" className="justify-self-start" onClick={() => setParameters({ edit: '' })}>
          <PenLine aria-hidden />
          Edit
        </Button>
      )}
      <ArticleView article={article} />
      <Tags tags={article.tags} />
      {userId && article.comments_open && isPublic(article) && (
        <Comments articleId={article.id} userId={userId} isEditor={editable} />
      )}
    </>
  )
}

/** For adults alone. */
function Comments(props: { articleId: string; userId: string; isEditor: boolean }) {
  const { data: rights } = useQuery(postingRightsQuery(props.userId))
  if (!rights?.files) return null
  return (
    <Suspense>
      <ArticleComments {...props} />
    </Suspense>
  )
}

function Missing() {
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 text-center">
      <h1 className="text-2xl font-bold">There is no such article</h1>
      <p className="text-muted-foreground">It may have been withdrawn.</p>
      <Button asChild variant="outline">
        <Link to={paths.newsReel}>All articles</Link>
      </Button>
    </div>
  )
}

function ArticleSkeleton() {
  return (
    <Loading>
      <div className="grid gap-5">
        <Skeleton className="h-11 w-4/5" />
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-80 rounded-xl" />
      </div>
    </Loading>
  )
}
