import { useQuery } from '@tanstack/react-query'
import { UserRound } from 'lucide-react'
import { Link } from 'react-router'
import { wardsQuery } from '@/data/minors/queries'
import { ageOn, type Ward } from '@/lib/minors'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Card, Problem, Row } from '@/ui/section'
import { wardVisibility } from '@/features/guardians/model'
import { VisibilitySwitch } from '@/features/guardians/components/visibility-switch'

/** The minors in the user's care, and who can see each; renders nothing if there are none. */
export function Wards({ userId }: { userId: string }) {
  const query = useQuery(wardsQuery(userId))
  if (query.isError) {
    return (
      <Problem
        text="Those in your care could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    )
  }
  if (!query.data?.length) return null
  return (
    <Card title="In your care" text="You see what they enter, and decide whether others do.">
      <ul className="divide-y divide-border">
        {query.data.map((ward) => (
          <Ward key={ward.ward_id} ward={ward} />
        ))}
      </ul>
    </Card>
  )
}

function Ward({ ward }: { ward: Ward }) {
  const { ward_id, full_name, birth_date, requests } = ward
  const profile = paths.playerById.replace(':id', ward_id)
  return (
    <Row
      icon={<UserRound aria-hidden />}
      name={full_name}
      facts={[
        birth_date && `${ageOn(birth_date)} years old.`,
        wardVisibility(ward),
        requests > 0 && (requests === 1 ? 'A team waits for your answer.' : `${requests} teams wait for your answer.`),
      ]
        .filter(Boolean)
        .join(' ')}
    >
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <VisibilitySwitch ward={ward} />
        <Button asChild size="sm" variant="outline">
          <Link to={profile} aria-label={`Manage ${full_name}`}>
            Manage
          </Link>
        </Button>
      </span>
    </Row>
  )
}
