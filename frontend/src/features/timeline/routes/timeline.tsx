import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowUp, Rss } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { useLiveTimeline } from '@/data/timeline/live'
import { SCOPES, type Post, type Scope } from '@/data/timeline/model'
import { withNewPost } from '@/data/timeline/pages'
import { postingRightsQuery, timelineQuery } from '@/data/timeline/queries'
import { lazyScreen } from '@/lib/lazy-screen'
import type { Prefetch } from '@/lib/prefetch'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Loading, PageHeader, Problem, Skeleton } from '@/ui/section'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { Blocked } from '@/features/timeline/components/blocked'
import { OnePost } from '@/features/timeline/components/one-post'
import { PostCard } from '@/features/timeline/components/post-card'
import { EMPTY, parseScope, SCOPE_TITLES } from '@/features/timeline/model'

const Composer = lazyScreen(() => import('@/features/timeline/components/composer'))

export const prefetch: Prefetch = (begin, { userId }) => {
  if (!userId) return
  void begin(postingRightsQuery(userId))
}

/** `/timeline`: posts, results and milestones that are for the reader. The address names the list. */
export default function TimelineScreen() {
  const { user } = useSession()
  usePageTitle('Timeline')
  return user && <Timeline userId={user.id} />
}

function Timeline({ userId }: { userId: string }) {
  const [parameters] = useSearchParams()
  const live = useLiveTimeline(userId)
  const post = parameters.get('post')
  return post ? <OnePost key={post} id={post} userId={userId} /> : <Lists userId={userId} live={live} />
}

type Live = ReturnType<typeof useLiveTimeline>

function Lists({ userId, live }: { userId: string; live: Live }) {
  const [parameters, setParameters] = useSearchParams()
  const scope = parseScope(parameters.get('list'))
  const rights = useQuery(postingRightsQuery(userId))
  const forget = (name: string) =>
    setParameters(
      (now) => {
        now.delete(name)
        return now
      },
      { replace: true, preventScrollReset: true },
    )
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <PageHeader title="Timeline" />
      {rights.isPending && <Skeleton className="h-43 rounded-xl" />}
      {rights.data && (
        <Suspense fallback={<Skeleton className="h-43 rounded-xl" />}>
          <Composer
            userId={userId}
            rights={rights.data}
            gameId={parameters.get('game')}
            onGameGone={() => forget('game')}
          />
        </Suspense>
      )}
      <Tabs
        value={scope}
        onValueChange={(list) => setParameters(list === 'all' ? {} : { list }, { preventScrollReset: true })}
      >
        <TabsList aria-label="Which posts">
          {SCOPES.map((one) => (
            <TabsTrigger key={one} value={one}>
              {SCOPE_TITLES[one]}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={scope} className="mt-4 grid gap-4">
          {scope === 'mine' && <Blocked userId={userId} />}
          <Posts key={scope} scope={scope} userId={userId} live={live} />
        </TabsContent>
      </Tabs>
    </div>
  )
}

type PostsProps = { scope: Scope; userId: string; live: Live }

function Posts({ scope, userId, live }: PostsProps) {
  const query = useInfiniteQuery(timelineQuery(scope))
  const client = useQueryClient()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const posts = query.data?.pages.flat() ?? []
  const listed = new Set(posts.map(({ id }) => id))
  const waiting = live.waiting.filter((post) => belongs(post, scope) && !listed.has(post.id))

  function showWaiting() {
    client.setQueryData(timelineQuery(scope).queryKey, (data) => data && waiting.reduce(withNewPost, data))
    setFresh(new Set(waiting.map(({ id }) => id)))
    live.clear()
  }

  if (query.isPending) return <PostsSkeleton />
  return (
    <>
      {query.isError && (
        <Problem text="The posts could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      <div role="status" className="contents">
        {waiting.length > 0 && (
          <Button className="sticky top-18 z-10 justify-self-center rounded-full shadow-md" onClick={showWaiting}>
            <ArrowUp aria-hidden />
            {waiting.length === 1 ? '1 new post' : `${waiting.length} new posts`}
          </Button>
        )}
      </div>
      {posts.length > 0 ? (
        <ol aria-label="Posts" className="divide-y divide-border overflow-clip rounded-xl border border-border bg-card">
          {posts.map((post) => (
            <li key={post.id}>
              <PostCard post={post} userId={userId} isNew={fresh.has(post.id)} />
            </li>
          ))}
        </ol>
      ) : (
        query.isSuccess && <Nothing scope={scope} />
      )}
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

/** Whether a post that has arrived belongs to a list. Which authors are followed only the server knows. */
function belongs(post: Post, scope: Scope): boolean {
  if (scope === 'team') return post.team_id !== null
  return scope === 'all' && post.kind !== 'result'
}

function Nothing({ scope }: { scope: Scope }) {
  const { title, text } = EMPTY[scope]
  return (
    <Framed>
      <Rss aria-hidden className="size-8 text-muted-foreground" />
      <p className="font-semibold">{title}</p>
      <p className="text-sm text-muted-foreground">{text}</p>
      {scope !== 'mine' && (
        <Button asChild variant="outline">
          <Link to={paths.search}>Find players</Link>
        </Button>
      )}
    </Framed>
  )
}

function Framed({ children }: { children: ReactNode }) {
  return (
    <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-xl border border-dashed border-border px-4 py-8 text-center">
      {children}
    </div>
  )
}

function PostsSkeleton() {
  return (
    <Loading>
      <div className="divide-y divide-border rounded-xl border border-border bg-card">
        {[0, 1, 2, 3].map((row) => (
          <div key={row} className="flex gap-3 px-4 py-4 sm:px-5">
            <Skeleton className="size-10 shrink-0 rounded-full" />
            <div className="grid grow gap-2">
              <Skeleton className="h-4.5 w-2/5" />
              <Skeleton className="h-4 w-1/4" />
              <Skeleton className="h-5 w-4/5" />
              <Skeleton className="h-9 w-1/3" />
            </div>
          </div>
        ))}
      </div>
    </Loading>
  )
}
