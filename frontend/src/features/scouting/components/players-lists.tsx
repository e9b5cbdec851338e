import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Empty, Section } from '@/ui/section'
import { Switch } from '@/ui/switch'
import { NewList } from '@/features/scouting/components/new-list'
import { schemas, WATCHED_FIELDS } from '@/features/scouting/model'
import { useScoutingForms, useWatch } from '@/data/scouting/mutations'
import { watchlistsQuery } from '@/data/scouting/queries'

type PlayersListsProps = { player: { id: string; name: string }; userId: string }

/** On which of the scout's lists a player is. */
export function PlayersLists({ player, userId }: PlayersListsProps) {
  const query = useQuery(watchlistsQuery(userId))
  const { saveWatched } = useScoutingForms()
  const watch = useWatch()
  return (
    <Section
      title="Watchlists"
      text="Only you see your lists"
      query={query}
      problem="Your lists could not be loaded."
      actions={<NewList userId={userId} location="Player Profile" />}
    >
      {(lists) =>
        lists.length === 0 ? (
          <Empty>You have no list yet.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {lists.map(({ id, name, watchlist_players }) => {
              const watched = watchlist_players.find(({ player_id }) => player_id === player.id)
              return (
                <li key={id} className="grid gap-1.5 py-3">
                  <div className="flex items-center justify-between gap-3">
                    <label className="flex min-w-0 items-center gap-3">
                      <Switch
                        checked={watched !== undefined}
                        disabled={watch.isPending}
                        onCheckedChange={(on) => watch.mutate({ listId: id, playerId: player.id, watch: on })}
                      />
                      <span className="font-medium wrap-anywhere">{name}</span>
                    </label>
                    {watched && (
                      <RecordDialog
                        trigger={
                          <Button variant="ghost" size="icon" aria-label={`Edit the note on ${name}`}>
                            <Pencil aria-hidden />
                          </Button>
                        }
                        title={`Why ${player.name} is on ${name}`}
                        text="Only you see it."
                        fields={WATCHED_FIELDS}
                        schema={async () => (await schemas()).watchedSchema}
                        defaults={{ note: watched.note ?? '' }}
                        draft={`watched:${id}:${player.id}`}
                        location="Player Profile"
                        onSave={(values) => saveWatched(id, player.id, values)}
                      />
                    )}
                  </div>
                  {watched?.note && <p className="text-sm wrap-anywhere text-muted-foreground">{watched.note}</p>}
                </li>
              )
            })}
          </ul>
        )
      }
    </Section>
  )
}
