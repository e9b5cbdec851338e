import { useInfiniteQuery } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import { useArticleComment } from '@/data/newsroom/mutations'
import type { ArticleComment } from '@/data/newsroom/model'
import { articleCommentsQuery } from '@/data/newsroom/queries'
import { explain } from '@/lib/explain'
import { moment } from '@/lib/format'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Section } from '@/ui/section'
import { Textarea } from '@/ui/textarea'

type ArticleCommentsProps = { articleId: string; userId: string; isEditor: boolean }

/** The comments of adults on an article whose newsroom has opened them, the oldest of those loaded first. */
export default function ArticleComments({ articleId, userId, isEditor }: ArticleCommentsProps) {
  const query = useInfiniteQuery(articleCommentsQuery(articleId))
  return (
    <Section title="Comments" text="Adults only." query={query} problem="The comments could not be loaded.">
      {({ pages }) => (
        <>
          {query.hasNextPage && (
            <Button
              variant="link"
              size="sm"
              className="justify-self-start px-0"
              disabled={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              {query.isFetchingNextPage ? 'Loading…' : 'Earlier comments'}
            </Button>
          )}
          {pages.some((page) => page.length > 0) && (
            <ul className="divide-y divide-border">
              {pages
                .flat()
                .toReversed()
                .map((comment) => (
                  <CommentRow
                    key={comment.id}
                    comment={comment}
                    articleId={articleId}
                    mayRemove={comment.author_id === userId || isEditor}
                  />
                ))}
            </ul>
          )}
          <CommentForm articleId={articleId} />
        </>
      )}
    </Section>
  )
}

type CommentRowProps = { comment: ArticleComment; articleId: string; mayRemove: boolean }

function CommentRow({ comment, articleId, mayRemove }: CommentRowProps) {
  const { id, author_id, author, body, state, created_at } = comment
  const { remove } = useArticleComment(articleId)
  return (
    <li className="grid grid-cols-[1fr_auto] gap-x-3 py-3">
      <div className="min-w-0">
        <p className="text-sm">
          <span className="font-semibold">{author?.full_name ?? 'Private member'}</span>{' '}
          <time dateTime={created_at} className="text-muted-foreground">
            {moment(created_at)}
          </time>
        </p>
        <p className="wrap-anywhere whitespace-pre-wrap">{body}</p>
        {state !== 'shown' && <p className="text-sm text-muted-foreground">Hidden from others: it was reported.</p>}
      </div>
      <span>
        {mayRemove ? (
          <RemovalDialog
            name="this comment"
            text="It is deleted for everybody."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(id)}
          />
        ) : (
          <Report
            subjectKind="article_comment"
            subjectId={id}
            subjectUserId={author_id}
            name={`the comment of ${author?.full_name ?? 'a member'}`}
          />
        )}
      </span>
    </li>
  )
}

function CommentForm({ articleId }: { articleId: string }) {
  const { write } = useArticleComment(articleId)
  const [body, setBody] = useState('')
  const id = useId()
  async function submit(event: SubmitEvent) {
    event.preventDefault()
    if (!body.trim() || write.isPending) return
    await write.mutateAsync(body.trim()).then(
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
        maxLength={1000}
        placeholder="Write a comment"
        className="min-h-11"
        onChange={({ target }) => setBody(target.value)}
      />
      <Button type="submit" className="h-11" disabled={!body.trim() || write.isPending}>
        {write.isPending ? 'Sending…' : 'Send'}
      </Button>
      {write.isError && (
        <p role="alert" className="text-sm text-destructive sm:col-span-2">
          {explain(write.error, 'Your comment was not saved: comments are for adults.')}
        </p>
      )}
    </form>
  )
}
