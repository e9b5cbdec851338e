import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { visibilityQuery } from '@/data/minors/queries'
import { VISIBILITY } from '@/lib/minors'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Empty, PageHeader, Problem } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { CoachProfile } from '@/features/players/components/coach-profile'
import { PlayerProfile, type Slots } from '@/features/players/components/player-profile'
import { ScoutProfile } from '@/features/players/components/scout-profile'
import { profileQuery } from '@/data/players/queries'

/** `/player`, `/player-profile` and `/player/{id}`: the profile with that id, or the user's own. */
export default function PlayerScreen({ slots }: { slots: Slots }) {
  const { id } = useParams()
  const { user } = useSession()
  const subject = id ?? user?.id
  if (subject && !isId(subject)) return <Nobody />
  return subject && <Person key={subject} id={subject} own={subject === user?.id} named={Boolean(id)} slots={slots} />
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a text can be the id of a profile. The database would reject any other as a syntax error. */
export const isId = (text: string) => UUID.test(text)

/** The profile for the person's role. /player without an id is always a player's profile, as "My Profile" links there. */
function Person({ id, own, named, slots }: { id: string; own: boolean; named: boolean; slots: Slots }) {
  const profile = useQuery(profileQuery(id))
  const { data: visibility = '' } = useQuery({ ...visibilityQuery(id), enabled: own })
  usePageTitle(profile.data?.full_name || 'Player Profile')
  if (profile.isPending) return <PageSpinner />
  if (profile.isError) {
    return (
      <Problem text="This profile could not be loaded." error={profile.error} onRetry={() => void profile.refetch()} />
    )
  }
  if (!profile.data) return <Nobody text={own ? VISIBILITY[visibility] : undefined} />
  const { full_name, role, photo } = profile.data
  if (named && role === 'coach') {
    return (
      <CoachProfile id={id} name={full_name || 'Unnamed coach'} photo={photo} own={own}>
        {slots.teams({ id, role, own, inCare: false })}
      </CoachProfile>
    )
  }
  if (named && role === 'scout') {
    return <ScoutProfile id={id} name={full_name || 'Unnamed scout'} photo={photo} own={own} />
  }
  return (
    <PlayerProfile id={id} name={full_name || 'Unnamed player'} role={role} photo={photo} own={own} slots={slots} />
  )
}

function Nobody({ text = 'This profile is private or does not exist.' }: { text?: string }) {
  return (
    <div className="grid gap-6">
      <PageHeader title="Player Profile" />
      <Empty>{text}</Empty>
    </div>
  )
}
