import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { day } from '@/lib/format'
import { roleQuery } from '@/data/role/queries'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { useVouch } from '@/data/players/mutations'
import { coachQuery, vouchQuery } from '@/data/players/queries'

type CoachStandingProps = { id: string; name: string; since: string | null; own: boolean }

/** Whether a coach is verified, and a verified colleague's button that helps towards it. */
export function CoachStanding({ id, name, since, own }: CoachStandingProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-sm text-muted-foreground">
      <p className="flex items-center gap-2">
        <BadgeCheck aria-hidden className={since ? 'size-4 shrink-0 text-success' : 'size-4 shrink-0'} />
        {since ? `Verified coach since ${day(since)}.` : own ? UNVERIFIED : 'Not verified.'}
      </p>
      {!own && !since && <Vouch id={id} name={name} />}
    </div>
  )
}

const UNVERIFIED =
  'Not verified yet: an admin does that, or two verified coaches who vouch for you. Until then you cannot invite or see ' +
  'players under 18, or verify numbers.'

function Vouch({ id, name }: { id: string; name: string }) {
  const { user } = useSession()
  const viewer = user?.id ?? ''
  const { data: role } = useQuery({ ...roleQuery(viewer), enabled: Boolean(user) })
  const { data: coach } = useQuery({ ...coachQuery(viewer), enabled: role === 'coach' })
  const { data: vouched } = useQuery({ ...vouchQuery(viewer, id), enabled: Boolean(coach?.verified_at) })
  const vouch = useVouch(id)
  if (vouched === undefined) return null
  return (
    <Button
      size="sm"
      variant="outline"
      className="print:hidden"
      disabled={vouch.isPending}
      onClick={() => vouch.mutate(!vouched)}
    >
      {vouched ? 'Take your word back' : `Vouch for ${name}`}
    </Button>
  )
}
