import { useQuery } from '@tanstack/react-query'
import { day } from '@/lib/format'
import { Empty, RowsSkeleton, Section } from '@/ui/section'
import { Person } from '@/features/home/components/people'
import { measured } from '@/data/home/feed'
import { coachTasksQuery } from '@/data/home/queries'

/** What waits for a coach. */
export function CoachTasks({ userId }: { userId: string }) {
  const query = useQuery(coachTasksQuery(userId))
  return (
    <Section
      title="Waiting for you"
      text="Players who ask to join your team, and numbers for you to verify."
      query={query}
      problem="What waits for you could not be loaded."
      skeleton={<RowsSkeleton rows={3} />}
    >
      {({ hasTeam, asking, unverified }) =>
        asking.length + unverified.length === 0 ? (
          <Empty>{hasTeam ? 'Nothing waits for you.' : 'You have no team here yet: see My Profile.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {asking.map(({ id, name, since }) => (
              <Person key={id} id={id} name={name ?? 'A player'} facts={`Asks to join your team since ${day(since)}`} />
            ))}
            {unverified.map((row) => (
              <Person
                key={row.id}
                id={row.player_id}
                name={row.name}
                facts={`${measured(row)}, taken ${day(row.taken_at)}, to be verified`}
              />
            ))}
          </ul>
        )
      }
    </Section>
  )
}
