import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { Link } from 'react-router'
import { day } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card, Empty, Section } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { NewList } from '@/features/scouting/components/new-list'
import { LIST_FIELDS, schemas, WATCHED_FIELDS } from '@/features/scouting/model'
import { useRemoveList, useScoutingForms, useWatch } from '@/data/scouting/mutations'
import { watchlistsQuery, type Watched, type Watchlist } from '@/data/scouting/queries'

const nameOf = ({ profiles }: Watched) => profiles?.full_name ?? 'No longer shown'

const COLUMNS: readonly Column<Watched>[] = [
  {
    id: 'name',
    header: 'Name',
    value: nameOf,
    cell: (row) =>
      row.profiles ? (
        <Link
          to={paths.playerById.replace(':id', row.player_id)}
          className="font-medium text-primary underline underline-offset-4"
        >
          {nameOf(row)}
        </Link>
      ) : (
        nameOf(row)
      ),
  },
  { id: 'positions', header: 'Positions', value: (row) => row.profiles?.players?.positions.join(', ') },
  { id: 'class', header: 'Class', value: (row) => row.profiles?.players?.grad_year },
  { id: 'school', header: 'School', value: (row) => row.profiles?.players?.player_academics?.school },
  { id: 'state', header: 'State', value: (row) => row.profiles?.players?.state },
  { id: 'note', header: 'Note', value: (row) => row.note },
  { id: 'added', header: 'Since', value: (row) => row.added_at, format: (row) => day(row.added_at) },
]

/** A scout's lists, each a table of its own. */
export function Watchlists({ userId }: { userId: string }) {
  const query = useQuery(watchlistsQuery(userId))
  return (
    <>
      <Section
        title="Watchlists"
        text="Only you see your lists and notes"
        query={query}
        problem="Your lists could not be loaded."
        actions={<NewList userId={userId} location="Scout Profile" />}
      >
        {(lists) =>
          lists.length === 0 ? (
            <Empty>You have no list yet. Begin one, and add players to it on their pages.</Empty>
          ) : (
            <p className="text-sm text-muted-foreground">Players are added on their own pages.</p>
          )
        }
      </Section>
      {query.data?.map((list) => (
        <List key={list.id} list={list} userId={userId} />
      ))}
    </>
  )
}

type ListProps = { list: Watchlist; userId: string }

function List({ list, userId }: ListProps) {
  const players = useQuery({
    ...watchlistsQuery(userId),
    select: (lists) => lists.find(({ id }) => id === list.id)?.watchlist_players ?? [],
  })
  const { renameList } = useScoutingForms()
  const remove = useRemoveList()
  const actions: Column<Watched> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => <WatchedActions list={list} row={row} />,
  }
  return (
    <Card
      title={list.name}
      aside={
        <span className="flex print:hidden">
          <RecordDialog
            trigger={
              <Button variant="ghost" size="icon" aria-label={`Rename ${list.name}`}>
                <Pencil aria-hidden />
              </Button>
            }
            title="Rename the list"
            text="Only you see it and who is on it."
            fields={LIST_FIELDS}
            schema={async () => (await schemas()).listSchema}
            defaults={{ name: list.name }}
            draft={`watchlist:${list.id}`}
            location="Scout Profile"
            onSave={(values) => renameList(list.id, values)}
          />
          <RemovalDialog
            name={list.name}
            text="Deletes the list and its notes. Your notes on the players’ pages stay."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(list.id)}
          />
        </span>
      }
    >
      <DataTable
        name={list.name}
        prefix={`${list.id.slice(0, 8)}.`}
        query={players}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.player_id}
        empty="Nobody is on this list yet. Open a player's page and switch it on there."
        searchable={false}
      />
    </Card>
  )
}

function WatchedActions({ list, row }: { list: Watchlist; row: Watched }) {
  const { saveWatched } = useScoutingForms()
  const watch = useWatch()
  const name = nameOf(row)
  return (
    <span className="flex justify-end">
      <RecordDialog
        trigger={
          <Button variant="ghost" size="icon" aria-label={`Edit the note on ${name}`}>
            <Pencil aria-hidden />
          </Button>
        }
        title={`Why ${name} is on ${list.name}`}
        text="Only you see it."
        fields={WATCHED_FIELDS}
        schema={async () => (await schemas()).watchedSchema}
        defaults={{ note: row.note ?? '' }}
        draft={`watched:${list.id}:${row.player_id}`}
        location="Scout Profile"
        onSave={(values) => saveWatched(list.id, row.player_id, values)}
      />
      <RemovalDialog
        name={`${name} from ${list.name}`}
        text="What you noted on this list goes, too."
        pending={watch.isPending}
        onRemove={() => watch.mutateAsync({ listId: list.id, playerId: row.player_id, watch: false })}
      />
    </span>
  )
}
