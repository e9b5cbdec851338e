import { Award, Globe, GraduationCap, Heart, Lock, MessageCircle, Trophy, Users, type LucideIcon } from 'lucide-react'
import { Suspense, useId, useState } from 'react'
import { Link } from 'react-router'
import { useLike } from '@/data/timeline/mutations'
import type { Post } from '@/data/timeline/model'
import { count, moment } from '@/lib/format'
import { lazyScreen } from '@/lib/lazy-screen'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { RowsSkeleton } from '@/ui/section'
import { FaceOf, NameOf, UNNAMED } from '@/features/timeline/components/face-of'
import { PostActions } from '@/features/timeline/components/post-actions'
import { PostMedia } from '@/features/timeline/components/post-media'
import { ResultCard } from '@/features/timeline/components/result-card'
import { addressOf, ago, audienceWords, milestoneWords, stateWords } from '@/features/timeline/model'

const Comments = lazyScreen(() => import('@/features/timeline/components/comments'))

type PostCardProps = {
  post: Post
  userId: string
  isNew?: boolean
  /** Whether its comments are shown at first. */
  opened?: boolean
}

/** A post, a final score, or a milestone. */
export function PostCard({ post, userId, isNew = false, opened = false }: PostCardProps) {
  const [open, setOpen] = useState(opened)
  const id = useId()
  const said = stateWords(post)
  return (
    <article
      aria-labelledby={id}
      className={cn('grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 px-4 py-4 sm:px-5', isNew && 'bg-accent-soft/60')}
    >
      <Mark post={post} />
      <div className="grid min-w-0 gap-2.5">
        <Head post={post} id={id} />
        {said && <p className="rounded-lg bg-accent-soft px-3 py-2 text-sm">{said}</p>}
        {post.body && post.kind !== 'commitment' && (
          <p className="leading-relaxed wrap-anywhere whitespace-pre-wrap">{post.body}</p>
        )}
        {post.kind === 'commitment' && <Commitment words={post.body} />}
        {post.media && <PostMedia {...post} path={post.media} name={post.author_name ?? UNNAMED} />}
        {post.game && <ResultCard game={post.game} />}
        <div className="-mb-1.5 -ml-2 flex flex-wrap items-center gap-1">
          <Like post={post} />
          {post.author_id && (
            <Button
              variant="ghost"
              size="sm"
              className="h-9 text-muted-foreground"
              aria-expanded={open}
              aria-label={post.comments === 1 ? '1 comment' : `${count(post.comments)} comments`}
              onClick={() => setOpen(!open)}
            >
              <MessageCircle aria-hidden />
              <span className="tabular-nums">{post.comments > 0 ? count(post.comments) : 'Comment'}</span>
            </Button>
          )}
          <PostActions post={post} userId={userId} />
        </div>
        {open && (
          <Suspense fallback={<RowsSkeleton rows={Math.min(3, post.comments)} />}>
            <Comments post={post} userId={userId} />
          </Suspense>
        )}
      </div>
    </article>
  )
}

/** The author's face; a sign for what the scorebook has written. */
function Mark({ post: { kind, author_name, author_photo } }: { post: Post }) {
  if (kind !== 'result') return <FaceOf name={author_name ?? UNNAMED} photo={author_photo} />
  return (
    <span className="grid size-10 place-items-center rounded-full bg-secondary text-primary">
      <Trophy aria-hidden className="size-5" />
    </span>
  )
}

function Head({ post, id }: { post: Post; id: string }) {
  const { kind, author_id, author_name, team_name, created_at } = post
  return (
    <header className="grid gap-0.5">
      <h2 id={id} className="font-sans text-base leading-snug font-normal tracking-normal">
        {author_id ? (
          <NameOf id={author_id} name={author_name} />
        ) : (
          <span className="font-semibold">Final{team_name && `: ${team_name}`}</span>
        )}
        {kind === 'milestone' && (
          <>
            {' '}
            <span>{milestoneWords(post)}</span>
            <Award aria-hidden className="ml-1.5 inline size-4 align-[-2px] text-accent" />
          </>
        )}
      </h2>
      <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted-foreground">
        <Link to={addressOf(post)} className="underline-offset-4 hover:text-primary hover:underline">
          <time dateTime={created_at} title={moment(created_at)}>
            {ago(created_at, new Date())}
          </time>
        </Link>
        {kind === 'post' || kind === 'commitment' ? (
          <>
            <span aria-hidden>·</span>
            <Audience post={post} />
          </>
        ) : (
          <span>· From the scorebook</span>
        )}
      </p>
    </header>
  )
}

/** The announcement of a player's college. */
function Commitment({ words }: { words: string }) {
  return (
    <p className="flex items-center gap-3 rounded-xl bg-secondary px-4 py-3 text-lg font-semibold wrap-anywhere text-secondary-foreground">
      <GraduationCap aria-hidden className="size-6 shrink-0" />
      {words}
    </p>
  )
}

const SIGNS: Readonly<Record<Post['visibility'], LucideIcon>> = {
  self: Lock,
  team: Users,
  followers: Users,
  public: Globe,
}

function Audience({ post }: { post: Post }) {
  const Sign = SIGNS[post.visibility]
  return (
    <span className="inline-flex items-center gap-1">
      <Sign aria-hidden className="size-3.5" />
      {audienceWords(post)}
    </span>
  )
}

function Like({ post }: { post: Post }) {
  const like = useLike(post)
  return (
    <Button
      variant="ghost"
      size="sm"
      aria-pressed={post.liked}
      aria-label={post.likes === 1 ? 'Like, 1 like' : `Like, ${count(post.likes)} likes`}
      className={cn('h-9', post.liked ? 'text-accent' : 'text-muted-foreground')}
      onClick={() => like.mutate(!post.liked)}
    >
      <Heart aria-hidden className={cn(post.liked && 'fill-current')} />
      <span className="tabular-nums">{post.likes > 0 ? count(post.likes) : 'Like'}</span>
    </Button>
  )
}
