import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { isPublic, type Article, type Withholding } from '@/data/newsroom/model'
import { useArticleChanges } from '@/data/newsroom/mutations'
import { withholdingQuery } from '@/data/newsroom/queries'
import { explain } from '@/lib/explain'
import { moment } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { ConfirmDialog } from '@/ui/confirm-dialog'
import { Input } from '@/ui/input'
import { toast } from '@/ui/toast/toast-state'

type PublicationProps = {
  article: Article
  /** Saves what is typed first; whether that worked. */
  store: () => Promise<boolean>
  onProblem: (problem: string) => void
  onDone: () => void
}

/** Publishes an article now or later, takes it back, or deletes it. */
export function Publication({ article, store, onProblem, onDone }: PublicationProps) {
  const { publish, withdraw } = useArticleChanges(article.id)
  const [time, setTime] = useState('')
  const published = article.status === 'published'
  const { data: withholding } = useQuery(withholdingQuery(article.id))
  const busy = publish.isPending || withdraw.isPending

  async function run(work: () => Promise<unknown>, done: string, leave = false) {
    try {
      await work()
      toast({ title: done, variant: 'success' })
      if (leave) onDone()
    } catch (error) {
      onProblem(explain(error, 'That did not work. Try again.'))
    }
  }

  async function publishAt(at: string | null) {
    if (!(await store())) return
    await run(() => publish.mutateAsync(at), at ? `Scheduled for ${moment(at)}` : 'Published', at === null)
  }

  return (
    <>
      {withholding && <Withheld article={article} withholding={withholding} />}
      {published ? (
        <Button
          variant="outline"
          disabled={busy}
          onClick={() => void run(() => withdraw.mutateAsync(), 'It is a draft again')}
        >
          {isPublic(article) ? 'Withdraw' : 'Unschedule'}
        </Button>
      ) : (
        <>
          <Button disabled={busy} onClick={() => void publishAt(null)}>
            {publish.isPending ? 'Publishing…' : 'Publish now'}
          </Button>
          <span className="flex min-w-0 flex-wrap items-center gap-2">
            <Input
              type="datetime-local"
              aria-label="Publish at"
              value={time}
              className="h-10 w-52 max-w-full"
              onChange={({ target }) => setTime(target.value)}
            />
            <Button
              variant="outline"
              disabled={busy || !time}
              onClick={() => void publishAt(new Date(time).toISOString())}
            >
              Schedule
            </Button>
          </span>
        </>
      )}
      <Remove article={article} />
    </>
  )
}

/** Why nobody reads the article, and what to do about it. */
function Withheld({ article, withholding }: { article: Article; withholding: Withholding }) {
  const { removalReason, namesMinor } = withholding
  return (
    <>
      {removalReason && (
        <p role="status" className="w-full font-medium wrap-anywhere text-warning">
          Removed by an admin: “{removalReason}” Correct the article, and ask on the contact page to show it again.
        </p>
      )}
      {article.status === 'published' && namesMinor && (
        <p role="status" className="w-full font-medium text-warning">
          {isPublic(article) ? 'Nobody reads this now' : 'Nobody will read this'}: it names somebody whose profile is
          not public. Remove the name{isPublic(article) && ' with a correction'}.
        </p>
      )}
    </>
  )
}

function Remove({ article }: { article: Article }) {
  const { remove } = useArticleChanges(article.id)
  const navigate = useNavigate()
  return (
    <span className="ml-auto">
      <ConfirmDialog
        trigger={
          <Button variant="ghost" size="icon" aria-label="Delete this article">
            <Trash2 aria-hidden />
          </Button>
        }
        title="Delete this article?"
        text="Its cover, comments and corrections are deleted with it."
        action="Delete"
        working="Deleting…"
        pending={remove.isPending}
        onConfirm={async () => {
          await remove.mutateAsync()
          await navigate(paths.newsReel)
        }}
      />
    </span>
  )
}
