import { useQuery } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'
import type { NewsroomRights } from '@/data/newsroom/model'
import { createArticle } from '@/data/newsroom/mutations'
import { finalGamesQuery } from '@/data/newsroom/queries'
import { explain } from '@/lib/explain'
import { shortDay } from '@/lib/format'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import type { DialogControl } from '@/ui/late-dialog'
import { Select } from '@/ui/select'

const SITE = 'site'

/** Begins an article: empty, or the recap of a final game. */
export default function NewArticle({ rights, ...control }: DialogControl & { rights: NewsroomRights }) {
  const { open, onOpenChange, onCloseAutoFocus } = control
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>New article</DialogTitle>
          <DialogDescription>It stays a draft until you publish it.</DialogDescription>
        </div>
        <Form rights={rights} />
      </DialogContent>
    </Dialog>
  )
}

function Form({ rights }: { rights: NewsroomRights }) {
  const { user } = useSession()
  const { data: games = [] } = useQuery({ ...finalGamesQuery(user?.id ?? ''), enabled: rights.teams.length > 0 })
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [team, setTeam] = useState(rights.teams[0]?.id ?? SITE)
  const [game, setGame] = useState('')
  const [problem, setProblem] = useState('')
  const [working, setWorking] = useState(false)
  const id = useId()

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const about = games.find((one) => one.id === game)
    if (!about && !title.trim()) {
      setProblem('Please give it a title.')
      return
    }
    setWorking(true)
    setProblem('')
    try {
      const owner = about ? about.owner_team_id : team === SITE ? null : team
      const article = await createArticle(title.trim(), owner, about?.id ?? null)
      await navigate(`${paths.articleById.replace(':id', article)}?edit`)
    } catch (error) {
      setProblem(explain(error, 'The article could not be begun. Try again.'))
      setWorking(false)
    }
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      {games.length > 0 && (
        <Field id={`${id}-game`} label="Begin with">
          <Select id={`${id}-game`} value={game} onChange={({ target }) => setGame(target.value)}>
            <option value="">An empty page</option>
            {games.map(({ id, visitor_name, home_name, visitor_runs, home_runs, played_on }) => (
              <option key={id} value={id}>
                {`Recap: ${visitor_name} ${visitor_runs}, ${home_name} ${home_runs} · ${shortDay(played_on)}`}
              </option>
            ))}
          </Select>
        </Field>
      )}
      {game === '' && (
        <>
          <Field id={`${id}-title`} label="Title">
            <Input
              maxLength={140}
              value={title}
              {...described(`${id}-title`)}
              onChange={({ target }) => setTitle(target.value)}
            />
          </Field>
          <Field id={`${id}-team`} label="For">
            <Select id={`${id}-team`} value={team} onChange={({ target }) => setTeam(target.value)}>
              {rights.teams.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
              {rights.site && <option value={SITE}>Dugout</option>}
            </Select>
          </Field>
        </>
      )}
      {problem && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button type="submit" disabled={working}>
          {working ? 'Beginning…' : 'Begin'}
        </Button>
      </div>
    </form>
  )
}
