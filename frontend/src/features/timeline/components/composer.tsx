import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import type { Game } from '@/data/games/model'
import { gameQuery } from '@/data/games/queries'
import { usePublish } from '@/data/timeline/mutations'
import { LONGEST_POST, type PostingRights } from '@/data/timeline/model'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { explain } from '@/lib/explain'
import { randomId } from '@/lib/random-id'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { Textarea } from '@/ui/textarea'
import { AttachButton, AttachmentView, useAttachment } from '@/features/timeline/components/attachment'
import { ResultCard } from '@/features/timeline/components/result-card'
import { audienceOf, audiences } from '@/features/timeline/model'

type ComposerProps = {
  userId: string
  rights: PostingRights
  /** A game whose result is shared with the post. */
  gameId: string | null
  onGameGone: () => void
}

/** Writes a post: text, a photo or video, a result, and who reads it. */
export default function Composer({ userId, rights, gameId, onGameGone }: ComposerProps) {
  const choices = useMemo(() => audiences(rights), [rights])
  const { form, attachment, game, problem, left, complete, publishing, submit } = usePost({
    userId,
    audience: choices[0]?.[0] ?? 'self',
    gameId,
    onGameGone,
  })
  return (
    <form
      aria-label="New post"
      className="grid gap-3 rounded-xl border border-border bg-card p-4 sm:p-5"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <label htmlFor="post-body" className="sr-only">
        Your post
      </label>
      <Textarea
        id="post-body"
        placeholder="What happened on the field?"
        rows={2}
        className="field-sizing-content max-h-96 min-h-18 resize-none"
        aria-describedby={left < 200 ? 'post-left' : undefined}
        {...form.register('body')}
      />
      <AttachmentView attachment={attachment} />
      {attachment.media && (
        <Input
          aria-label="What it shows"
          placeholder="What it shows, for those who cannot see it (optional)"
          maxLength={300}
          {...form.register('alt')}
        />
      )}
      {game && <SharedResult game={game} onGone={onGameGone} />}
      {problem && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        {rights.files && <AttachButton attachment={attachment} />}
        {left < 200 && (
          <span
            id="post-left"
            className={cn('text-sm tabular-nums', left < 0 ? 'text-destructive' : 'text-muted-foreground')}
          >
            {left} left
          </span>
        )}
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2">
          <span className="w-40 max-w-full">
            <Select aria-label="Who reads it" className="h-10" {...form.register('audience')}>
              {choices.map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          </span>
          <Button type="submit" disabled={!complete || publishing}>
            {publishing ? 'Posting…' : 'Post'}
          </Button>
        </span>
      </div>
    </form>
  )
}

type PostOptions = Omit<ComposerProps, 'rights'> & {
  /** Who reads it, until something else is chosen. */
  audience: string
}

/** What is typed and attached, and how it is published. */
function usePost({ userId, audience, gameId, onGameGone }: PostOptions) {
  const id = useRef(randomId())
  const publish = usePublish()
  const attachment = useAttachment(userId)
  const { data: game } = useQuery({ ...gameQuery(gameId ?? ''), enabled: gameId !== null })
  const [problem, setProblem] = useState('')
  const form = useForm({ defaultValues: { body: '', audience, alt: '' } })
  const change = { id: `post:${userId}`, description: 'A post that is not published', location: 'Timeline' }
  useDraft(change, form)
  const body = useWatch({ control: form.control, name: 'body' })
  const { media } = attachment
  const left = LONGEST_POST - body.trim().length

  async function submit({ body, audience, alt }: { body: string; audience: string; alt: string }) {
    setProblem('')
    try {
      await publish.mutateAsync({
        id: id.current,
        body: body.trim(),
        ...audienceOf(audience),
        ...(game ? { game_id: game.id } : {}),
        ...(media ? { media: { ...media, alt: alt.trim() } } : {}),
      })
    } catch (error) {
      setProblem(explain(error, 'Your post was not published. It is kept here: try again.'))
      return
    }
    id.current = randomId()
    form.reset({ body: '', audience, alt: '' })
    forgetDraft(change.id)
    attachment.sent()
    onGameGone()
  }
  const complete = Boolean(body.trim() || media || game) && left >= 0 && attachment.share === undefined
  return { form, attachment, game, problem, left, complete, publishing: publish.isPending, submit }
}

function SharedResult({ game, onGone }: { game: Game; onGone: () => void }) {
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 grow">
        <ResultCard game={game} />
      </div>
      <Button variant="ghost" size="icon" aria-label="Take the result away" onClick={onGone}>
        <X aria-hidden />
      </Button>
    </div>
  )
}
