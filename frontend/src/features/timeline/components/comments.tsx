import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import { useIsGuardianOf } from '@/data/minors/queries'
import { useComment, useDeleteComment } from '@/data/timeline/mutations'
import { LONGEST_COMMENT, type Comment, type Post } from '@/data/timeline/model'
import { commentsQuery } from '@/data/timeline/queries'
import { explain } from '@/lib/explain'
import { moment } from '@/lib/format'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Loading, Problem, RowsSkeleton } from '@/ui/section'
import { Textarea } from '@/ui/textarea'
import { FaceOf, NameOf, UNNAMED } from '@/features/timeline/components/face-of'
import { ago, stateWords } from '@/features/timeline/model'

type CommentsProps = { post: Post; userId: string }

/** The comments on a post, the oldest of those loaded first, and a field for one more. */
export default function Comments({ post, userId }: CommentsProps) {
  const query = useInfiniteQuery(commentsQuery(post.id))
  const comments = query.data?.pages.flat().toReversed() ?? []
  return (
    <div className="grid gap-3 border-t border-border pt-3">
      {query.isPending && (
        <Loading>
          <RowsSkeleton rows={Math.max(1, Math.min(3, post.comments))} />
        </Loading>
      )}
      {query.isError && (
        <Problem text="The comments could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.hasNextPage && (
        <Button
          variant="link"
          size="sm"
          className="justify-self-start px-0"
          disabled={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          Earlier comments
        </Button>
      )}
      {comments.length > 0 && (
        <ul className="grid gap-3">
          {comments.map((comment) => (
            <CommentRow key={comment.id} comment={comment} post={post} userId={userId} />
          ))}
        </ul>
      )}
      {query.isSuccess && comments.length === 0 && !post.comment_refusal && (
        <p className="text-sm text-muted-foreground">No comments yet.</p>
      )}
      {post.comment_refusal ? (
        <p className="text-sm text-muted-foreground">{post.comment_refusal}</p>
      ) : (
        <CommentForm postId={post.id} />
      )}
    </div>
  )
}

function CommentRow({ comment, post, userId }: CommentsProps & { comment: Comment }) {
  const { id, author_id, author, body, created_at } = comment
  const name = author?.full_name ?? UNNAMED
  const remove = useDeleteComment(post.id)
  const said = stateWords(comment)
  const isGuardian = useIsGuardianOf(userId, author_id)
  const isGuardianOfPoster = useIsGuardianOf(userId, post.author_id)
  const mayRemove = [author_id, post.author_id].includes(userId) || isGuardian || isGuardianOfPoster
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-start gap-x-2.5">
      <FaceOf name={name} photo={author?.photo ?? null} size={32} />
      <div className="min-w-0">
        <p className="text-sm">
          <NameOf id={author_id} name={author?.full_name ?? null} />{' '}
          <span className="text-muted-foreground">
            {author?.role === 'coach' && 'Coach · '}
            <time dateTime={created_at} title={moment(created_at)}>
              {ago(created_at, new Date())}
            </time>
          </span>
        </p>
        <p className="wrap-anywhere whitespace-pre-wrap">{body}</p>
        {said && <p className="text-sm text-muted-foreground">{said}</p>}
      </div>
      <span className="-mt-1 flex">
        {mayRemove && (
          <RemovalDialog
            name={author_id === userId ? 'your comment' : `the comment of ${name}`}
            text="It is deleted for everybody."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(id)}
          />
        )}
        {author_id !== userId && !isGuardian && (
          <Report subjectKind="comment" subjectId={id} subjectUserId={author_id} name={`the comment of ${name}`} />
        )}
      </span>
    </li>
  )
}

function CommentForm({ postId }: { postId: string }) {
  const [body, setBody] = useState('')
  const write = useComment(postId)
  const id = useId()
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const text = body.trim()
    if (!text || write.isPending) return
    await write.mutateAsync(text).then(
      () => setBody(''),
      () => undefined,
    )
  }
  return (
    <form className="grid gap-2 sm:grid-cols-[1fr_auto] sm:items-end" onSubmit={(event) => void submit(event)}>
      <label htmlFor={id} className="sr-only">
        Your comment
      </label>
      <Textarea
        id={id}
        value={body}
        rows={1}
        maxLength={LONGEST_COMMENT}
        placeholder="Write a comment"
        className="min-h-11"
        onChange={({ target }) => setBody(target.value)}
      />
      <Button type="submit" className="h-11" disabled={!body.trim() || write.isPending}>
        {write.isPending ? 'Sending…' : 'Send'}
      </Button>
      {write.isError && (
        <p role="alert" className="text-sm text-destructive sm:col-span-2">
          {explain(write.error, 'Your comment was not saved. Try again.')}
        </p>
      )}
    </form>
  )
}
