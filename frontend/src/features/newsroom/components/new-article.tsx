import { useQuery } from '@tanstack/react-query'
import { useId, useState, type SubmitEvent } from 'react'
import { useNavigate } from 'react-router'
import type { NewsroomRights } from '@/data/newsroom/model'
import { useBeginArticle } from '@/data/newsroom/mutations'
import { finalGamesQuery, type FinalGame } from '@/data/newsroom/queries'
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
  const begin = useBeginArticle((article) => navigate(`${paths.articleById.replace(':id', article)}?edit`))
  const [title, setTitle] = useState('')
  const [team, setTeam] = useState(rights.teams[0]?.id ?? SITE)
  const [game, setGame] = useState('')
  const [untitled, setUntitled] = useState(false)
  const id = useId()
  const failure = begin.isError ? explain(begin.error, 'The article could not be begun. Try again.') : ''
  const problem = untitled ? 'Please give it a title.' : failure

  function submit(event: SubmitEvent) {
    event.preventDefault()
    const about = games.find((one) => one.id === game)
    const lacksTitle = !about && !title.trim()
    setUntitled(lacksTitle)
    if (lacksTitle) return
    const teamId = about ? about.owner_team_id : team === SITE ? null : team
    begin.mutate({ title: title.trim(), teamId, game: about?.id ?? null })
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={submit}>
      {games.length > 0 && <GameField id={`${id}-game`} games={games} value={game} onChange={setGame} />}
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
        <Button type="submit" disabled={begin.isPending}>
          {begin.isPending ? 'Beginning…' : 'Begin'}
        </Button>
      </div>
    </form>
  )
}

type GameFieldProps = {
  id: string
  games: readonly FinalGame[]
  value: string
  onChange: (game: string) => void
}

/** Whether the article is empty at first, or the recap of a game. */
function GameField({ id, games, value, onChange }: GameFieldProps) {
  return (
    <Field id={id} label="Begin with">
      <Select id={id} value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">An empty page</option>
        {games.map(({ id, visitor_name, home_name, visitor_runs, home_runs, played_on }) => (
          <option key={id} value={id}>
            {`Recap: ${visitor_name} ${visitor_runs}, ${home_name} ${home_runs} · ${shortDay(played_on)}`}
          </option>
        ))}
      </Select>
    </Field>
  )
}
