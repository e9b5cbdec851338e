import { useQuery } from '@tanstack/react-query'
import { Empty, Section } from '@/ui/section'
import { NewList } from '@/features/scouting/components/new-list'
import { List } from '@/features/scouting/components/watchlist'
import { listChangesQuery, watchlistsQuery } from '@/data/scouting/queries'

/** A scout's lists, each a table of its own. */
export function Watchlists({ userId }: { userId: string }) {
  const query = useQuery(watchlistsQuery(userId))
  // What is new is beside the point where it cannot be loaded.
  const { data: changes = [] } = useQuery(listChangesQuery(userId))
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
        <List
          key={list.id}
          list={list}
          userId={userId}
          changes={changes.filter(({ watchlist_id }) => watchlist_id === list.id)}
        />
      ))}
    </>
  )
}
