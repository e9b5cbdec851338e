import { Ban, Link as LinkIcon, Trash2 } from 'lucide-react'
import { useIsGuardianOf } from '@/data/minors/queries'
import { useBlock, useDeletePost } from '@/data/timeline/mutations'
import type { Post } from '@/data/timeline/model'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { toast } from '@/ui/toast/toast-state'
import { addressOf } from '@/features/timeline/model'

/**
 * What a reader can do about a post: all copy its link; the author and the guardian delete it, others report it or block its
 * author.
 */
export function PostActions({ post, userId }: { post: Post; userId: string }) {
  const { id, author_id, author_name, team_name } = post
  const isGuardian = useIsGuardianOf(userId, author_id)
  const isOwn = author_id === userId || isGuardian
  const subject = author_id === null ? `the result${team_name ? ` of ${team_name}` : ''}` : 'this post'
  return (
    <span className="ml-auto flex">
      <CopyLink post={post} />
      {isOwn && <Delete post={post} />}
      {!isOwn && author_id && <Block id={author_id} name={author_name ?? 'this member'} />}
      {!isOwn && (
        <Report
          subjectKind="post"
          subjectId={id}
          subjectUserId={author_id}
          name={author_name ? `the post of ${author_name}` : subject}
        />
      )}
    </span>
  )
}

function CopyLink({ post }: { post: Post }) {
  const url = new URL(addressOf(post), location.origin).href
  const copy = () =>
    navigator.clipboard.writeText(url).then(
      () =>
        toast({ title: 'Link copied', description: 'It opens for those who may read the post.', variant: 'success' }),
      () => toast({ title: 'The link', description: url }),
    )
  return (
    <Button
      variant="ghost"
      size="icon"
      aria-label="Copy the link to this post"
      className="text-muted-foreground"
      onClick={() => void copy()}
    >
      <LinkIcon aria-hidden />
    </Button>
  )
}

function Delete({ post: { id, kind } }: { post: Post }) {
  const remove = useDeletePost(id)
  const what = kind === 'post' || kind === 'result' ? 'post' : kind === 'commitment' ? 'announcement' : kind
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Delete this ${what}`} className="text-muted-foreground">
          <Trash2 aria-hidden />
        </Button>
      }
      title={`Delete this ${what}?`}
      text={
        kind === 'milestone'
          ? 'It leaves the timeline. The game and its numbers stay.'
          : kind === 'commitment'
            ? 'It leaves the timeline. The commitment stays on the profile.'
            : 'Its comments, likes and file are deleted with it.'
      }
      action="Delete"
      working="Deleting…"
      pending={remove.isPending}
      onConfirm={() => remove.mutateAsync()}
    />
  )
}

function Block({ id, name }: { id: string; name: string }) {
  const block = useBlock()
  return (
    <ConfirmDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Block ${name}`} className="text-muted-foreground">
          <Ban aria-hidden />
        </Button>
      }
      title={`Block ${name}?`}
      text="Neither of you sees the other’s posts and comments. They are not told. Your list “Mine” shows whom you block."
      action="Block"
      working="Blocking…"
      pending={block.isPending}
      onConfirm={() => block.mutateAsync({ id, blocked: true })}
    />
  )
}
