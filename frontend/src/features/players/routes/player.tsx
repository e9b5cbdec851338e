import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import { fieldText } from '@/lib/fields'
import { decimal, text, UNKNOWN } from '@/lib/format'
import { VISIBILITY, visibilityQuery, wardsQuery, type Ward } from '@/lib/minors'
import { usePageTitle } from '@/lib/page-title'
import { roleQuery } from '@/lib/role'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Card, Empty, PageHeader, Problem } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { Facts } from '@/features/players/components/facts'
import { Commitments, Videos } from '@/features/players/components/links'
import { Measurements } from '@/features/players/components/measurements'
import { Percentiles } from '@/features/players/components/percentiles'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { Batting, Pitching } from '@/features/players/components/season-lines'
import { build, PLAYER_FIELDS, playerSchema } from '@/features/players/model'
import { useRecords } from '@/features/players/mutations'
import { playerQuery, profileQuery } from '@/features/players/queries'

/** `/player`, `/player-profile` and `/player/{id}`: one screen, the own profile where no other is named. */
export default function PlayerScreen({ care }: { care?: Care }) {
  const { id } = useParams()
  const { user } = useSession()
  const subject = id ?? user?.id
  return subject && <Profile key={subject} id={subject} own={subject === user?.id} care={care} />
}

/** What a guardian is shown above the profile of a ward. */
type Care = (ward: Ward) => ReactNode

function Profile({ id, own, care }: { id: string; own: boolean; care?: Care }) {
  const { user } = useSession()
  const { data: visibility } = useQuery({ ...visibilityQuery(id), enabled: own })
  const { data: wards = [] } = useQuery({ ...wardsQuery(user?.id ?? ''), enabled: Boolean(user) && !own })
  const profile = useQuery(profileQuery(id))
  const player = useQuery(playerQuery(id))
  const { data: viewer } = useQuery({ ...roleQuery(user?.id ?? ''), enabled: Boolean(user) })
  usePageTitle(profile.data?.full_name || 'Player Profile')
  if (profile.isPending || player.isPending) return <PageSpinner />
  const failed = profile.isError ? profile : player.isError ? player : null
  if (failed) {
    return (
      <Problem text="This profile could not be loaded." error={failed.error} onRetry={() => void failed.refetch()} />
    )
  }
  if (!profile.data) return <Nobody />
  const name = profile.data.full_name || 'Unnamed player'
  const ward = wards.find(({ ward_id }) => ward_id === id)
  // Under 13 and without a guardian nothing may be added; nor by a guardian while the account is suspended.
  const editable = own ? visibility !== 'guardian_missing' && visibility !== 'suspended' : ward?.suspended === false
  const facts = player.data
  return (
    <div className="grid gap-6">
      <PageHeader title={name} text={headline(facts)}>
        <span className="flex flex-wrap gap-3 print:hidden">
          {editable && <EditButton id={id} player={facts ?? null} own={own} />}
          <ProfileActions id={id} name={name} />
        </span>
      </PageHeader>
      {own && visibility && visibility !== 'visible' && (
        <p className="rounded-xl bg-accent-soft p-4 print:hidden">{VISIBILITY[visibility]}</p>
      )}
      {ward && care?.(ward)}
      <Card title="At a glance">
        <Facts facts={glance(facts ?? null)} />
        {facts?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{facts.bio}</p>}
      </Card>
      <Percentiles playerId={id} />
      <Measurements
        playerId={id}
        editable={editable}
        canVerify={!own && !ward && (viewer === 'coach' || viewer === 'admin')}
      />
      <Batting playerId={id} editable={editable} />
      <Pitching playerId={id} editable={editable} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Videos playerId={id} editable={editable} />
        <Commitments playerId={id} editable={editable} />
      </div>
    </div>
  )
}

function Nobody() {
  return (
    <div className="grid gap-6">
      <PageHeader title="Player Profile" />
      <Empty>There is no such profile, or its owner does not show it to you.</Empty>
    </div>
  )
}

type Player = {
  positions: string[]
  jersey: string | null
  bats: string | null
  throws: string | null
  height_in: number | null
  weight_lb: number | null
  grad_year: number | null
  gpa: number | null
  school: string | null
  hometown: string | null
  state: string | null
  bio: string | null
}

const headline = (player: Player | null | undefined) =>
  [player?.positions.join(', '), player?.school, player?.grad_year && `Class of ${player.grad_year}`]
    .filter(Boolean)
    .join(' · ')

function glance(player: Player | null): [string, string][] {
  const { hands, size } = player ? build(player) : { hands: UNKNOWN, size: UNKNOWN }
  return [
    ['Positions', text(player?.positions.join(', '))],
    ['Bats/Throws', hands],
    ['Height, weight', size],
    ['Class', text(player?.grad_year?.toString())],
    ['School', text(player?.school)],
    ['From', text([player?.hometown, player?.state].filter(Boolean).join(', '))],
    ['Jersey', text(player?.jersey && `#${player.jersey}`)],
    ['GPA', decimal(player?.gpa)],
  ]
}

function EditButton({ id, player, own }: { id: string; player: Player | null; own: boolean }) {
  const { savePlayer } = useRecords(id)
  const defaults = Object.fromEntries(
    PLAYER_FIELDS.map(({ name }) => [name, fieldText(player?.[name as keyof Player])]),
  )
  return (
    <RecordDialog
      trigger={
        <Button>
          <Pencil aria-hidden />
          Edit
        </Button>
      }
      title={own ? 'Edit your profile' : 'Edit the profile'}
      text="What you leave empty is not shown."
      fields={PLAYER_FIELDS}
      schema={playerSchema}
      defaults={defaults}
      draft={`player:${id}`}
      location="Player Profile"
      onSave={savePlayer}
    />
  )
}
