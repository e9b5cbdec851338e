import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CalendarPlus, ClipboardPen } from 'lucide-react'
import { Link, useNavigate } from 'react-router'
import { phase } from '@/data/games/model'
import { GAMES_KEY, scheduleQuery } from '@/data/games/queries'
import { createGame } from '@/data/games/scoring'
import { saving } from '@/data/saving'
import { newGameFields, schemas } from '@/features/games/new-game'
import { day } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Empty, Section } from '@/ui/section'

type ScheduleProps = { team: { id: string; name: string }; coach: boolean }

/** The games of a team; its coaches add and score them. */
export function Schedule({ team, coach }: ScheduleProps) {
  const query = useQuery(scheduleQuery(team.id))
  return (
    <Section
      title={`Schedule of ${team.name}`}
      text="Games with their scores. Open one to follow it live."
      query={query}
      problem="The schedule could not be loaded."
      actions={coach && <NewGame team={team} />}
    >
      {(games) =>
        games.length === 0 ? (
          <Empty>{coach ? 'No game yet. Add the next one.' : 'No game yet.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {games.map((game) => (
              <li key={game.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3">
                <div className="min-w-0 grow basis-48">
                  <Link
                    to={paths.gameById.replace(':id', game.id)}
                    className="font-medium wrap-anywhere text-primary underline underline-offset-4"
                  >
                    {game.visitor_name} at {game.home_name}
                  </Link>
                  <p className="text-sm text-muted-foreground">
                    {[day(game.played_on), game.place, game.is_public ? 'public' : 'team only']
                      .filter(Boolean)
                      .join(' · ')}
                  </p>
                </div>
                <p className="text-sm tabular-nums">
                  {game.status !== 'scheduled' && (
                    <span className="font-semibold">
                      {game.visitor_runs}–{game.home_runs}{' '}
                    </span>
                  )}
                  <span className="text-muted-foreground">{phase(game)}</span>
                </p>
                {coach && game.status !== 'final' && game.status !== 'cancelled' && (
                  <Button asChild size="sm">
                    <Link
                      to={paths.scoreGame.replace(':id', game.id)}
                      aria-label={`Score ${game.visitor_name} at ${game.home_name}`}
                    >
                      <ClipboardPen aria-hidden />
                      Score
                    </Link>
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )
      }
    </Section>
  )
}

function NewGame({ team }: { team: ScheduleProps['team'] }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <RecordDialog
      trigger={
        <Button aria-label={`Add a game of ${team.name}`}>
          <CalendarPlus aria-hidden />
          Add game
        </Button>
      }
      title="Add a game"
      text="The opponent is a name: nobody else’s page shows this game."
      fields={newGameFields}
      schema={async () => (await schemas()).newGameSchema}
      defaults={{
        opponent: '',
        is_home: 'true',
        played_on: '',
        time: '',
        place: '',
        innings: '7',
        uses_dh: 'false',
        reentry: 'false',
        courtesy_runner: 'false',
        run_rule: '',
        extra_runner: '',
        time_limit: '',
        is_public: 'false',
      }}
      draft={`new-game:${team.id}`}
      location="Communication Hub"
      onSave={(values) =>
        saving(client, async () => {
          const id = await createGame({ team_id: team.id, ...values })
          await client.invalidateQueries({ queryKey: GAMES_KEY })
          await navigate(paths.gameById.replace(':id', id))
        })
      }
    />
  )
}
