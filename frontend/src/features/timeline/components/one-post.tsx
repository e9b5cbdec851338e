import { useQuery } from '@tanstack/react-query'
import { ChevronLeft } from 'lucide-react'
import { Link } from 'react-router'
import { postQuery } from '@/data/timeline/queries'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Loading, PageHeader, Problem, Skeleton } from '@/ui/section'
import { PostCard } from '@/features/timeline/components/post-card'

/** `/timeline?post=<id>`: one post with its comments. */
export function OnePost({ id, userId }: { id: string; userId: string }) {
  const { data: post, isPending, isError, error, refetch } = useQuery(postQuery(id))
  return (
    <div className="mx-auto grid w-full max-w-2xl gap-4">
      <PageHeader title="Post">
        <Button asChild variant="ghost">
          <Link to={paths.timeline}>
            <ChevronLeft aria-hidden />
            Timeline
          </Link>
        </Button>
      </PageHeader>
      {isPending && (
        <Loading>
          <Skeleton className="h-60 rounded-xl" />
        </Loading>
      )}
      {isError && <Problem text="The post could not be loaded." error={error} onRetry={() => void refetch()} />}
      {post && (
        <div className="overflow-clip rounded-xl border border-border bg-card">
          {/* Results have no comments. */}
          <PostCard post={post} userId={userId} opened={post.author_id !== null} />
        </div>
      )}
      {post === null && (
        <div className="grid min-h-60 content-center justify-items-center gap-3 rounded-xl border border-dashed border-border px-4 py-8 text-center">
          <p className="font-semibold">There is no such post</p>
          <p className="text-sm text-muted-foreground">It was deleted, or it is not for you to read.</p>
        </div>
      )}
    </div>
  )
}
