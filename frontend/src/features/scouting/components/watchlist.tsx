import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { day } from '@/lib/format'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { Comparison } from '@/features/scouting/components/comparison'
import { NewOnList } from '@/features/scouting/components/new-on-list'
import { LIST_FIELDS, schemas, WATCHED_FIELDS } from '@/features/scouting/model'
import { useRemoveList, useScoutingForms, useWatch } from '@/data/scouting/mutations'
import { MOST_COMPARED, watchlistsQuery, type ListChange, type Watched, type Watchlist } from '@/data/scouting/queries'

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

type ListProps = { list: Watchlist; userId: string; changes: readonly ListChange[] }

/** One list: what is new on it, its players, and the comparison of those who are chosen. */
export function List({ list, userId, changes }: ListProps) {
  const players = useQuery({
    ...watchlistsQuery(userId),
    select: (lists) => lists.find(({ id }) => id === list.id)?.watchlist_players ?? [],
  })
  const [chosen, setChosen] = useState<readonly string[]>([])
  // Only those who are still on the list and shown.
  const compared = list.watchlist_players.filter((row) => row.profiles && chosen.includes(row.player_id))
  const actions: Column<Watched> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => (
      <span className="flex items-center justify-end gap-1">
        {row.profiles && (
          <Choice
            name={nameOf(row)}
            chosen={chosen.includes(row.player_id)}
            disabled={compared.length >= MOST_COMPARED}
            onChange={(on) =>
              setChosen((now) => [...now.filter((id) => id !== row.player_id), ...(on ? [row.player_id] : [])])
            }
          />
        )}
        <WatchedActions list={list} row={row} />
      </span>
    ),
  }
  return (
    <Card title={list.name} aside={<ListActions list={list} />}>
      <NewOnList changes={changes} />
      <DataTable
        name={list.name}
        prefix={`${list.id.slice(0, 8)}.`}
        query={players}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.player_id}
        empty="Nobody is on this list yet. Open a player's page and switch it on there."
        searchable={false}
      />
      {compared.length === 1 && (
        <p role="status" className="text-sm text-muted-foreground">
          Choose another player to compare {compared.map(nameOf).join('')} with.
        </p>
      )}
      {compared.length > 1 && (
        <Comparison players={compared.map((row) => ({ id: row.player_id, name: nameOf(row) }))} />
      )}
    </Card>
  )
}

/** Renames or deletes a list. */
function ListActions({ list }: { list: Watchlist }) {
  const { renameList } = useScoutingForms()
  const remove = useRemoveList()
  return (
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
  )
}

type ChoiceProps = { name: string; chosen: boolean; disabled: boolean; onChange: (chosen: boolean) => void }

/** Whether a player is compared. */
function Choice({ name, chosen, disabled, onChange }: ChoiceProps) {
  return (
    <label className="inline-flex h-9 items-center gap-1.5 px-1 text-sm print:hidden">
      <input
        type="checkbox"
        aria-label={`Compare ${name}`}
        checked={chosen}
        disabled={disabled && !chosen}
        onChange={({ target }) => onChange(target.checked)}
        className="size-4 accent-primary"
      />
      Compare
    </label>
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
