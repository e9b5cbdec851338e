import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { decimal, fieldText, text, UNKNOWN } from '@/lib/format'
import { birthDateQuery, visibilityQuery, wardsQuery } from '@/data/minors/queries'
import { ADULT_AGE, ageOn, VISIBILITY, type Ward } from '@/lib/minors'
import { paths } from '@/lib/paths'
import { usePrinting } from '@/lib/printing'
import { roleQuery } from '@/data/role/queries'
import { useSession } from '@/lib/session'
import { BelowTheFold } from '@/ui/below-the-fold'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Card, Problem } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { Facts } from '@/features/players/components/facts'
import { Commitments } from '@/features/players/components/commitments'
import { Identity } from '@/features/players/components/identity'
import { Measurements } from '@/features/players/components/measurements'
import { Percentiles } from '@/features/players/components/percentiles'
import { Portrait } from '@/features/players/components/portrait'
import { PrintSheet } from '@/features/players/components/print-sheet'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { ScorebookOf } from '@/features/players/components/scorebook'
import { Batting, Pitching } from '@/features/players/components/season-lines'
import { Videos } from '@/features/players/components/videos'
import { build, PLAYER_FIELDS, schemas } from '@/features/players/model'
import { useRecords } from '@/data/players/mutations'
import { coachesQuery, playerQuery } from '@/data/players/queries'

/** Parts of the page that belong to other features; the app passes them in. */
export type Slots = {
  /** The guardian's part, above a ward's profile. */
  care: (ward: Ward) => ReactNode
  /** The teams of a player or coach, with actions on one's own. */
  teams: (person: { id: string; role: 'player' | 'coach'; own: boolean; inCare: boolean }) => ReactNode
  /** A scout's private data about the player. */
  desk: (player: { id: string; name: string; positions: readonly string[] }) => ReactNode
  /** Where the player's batted balls came down; nothing without any. */
  spray: (player: { id: string; name: string }) => ReactNode
}

type PlayerProfileProps = {
  id: string
  name: string
  role: string
  photo: string | null
  own: boolean
  slots: Slots
}

/** A player's profile with the actions that the viewer may take. */
export function PlayerProfile({ id, name, role, photo, own, slots }: PlayerProfileProps) {
  const { user } = useSession()
  const { data: visibility } = useQuery({ ...visibilityQuery(id), enabled: own })
  const { data: wards = [] } = useQuery({ ...wardsQuery(user?.id ?? ''), enabled: Boolean(user) && !own })
  const player = useQuery(playerQuery(id))
  const { data: viewer } = useQuery({ ...roleQuery(user?.id ?? ''), enabled: Boolean(user) })
  const { data: coaches } = useQuery({ ...coachesQuery(user?.id ?? '', id), enabled: viewer === 'coach' && !own })
  const printing = usePrinting()
  if (player.isPending) return <PageSpinner />
  if (player.isError) {
    return (
      <Problem text="This profile could not be loaded." error={player.error} onRetry={() => void player.refetch()} />
    )
  }
  const ward = wards.find(({ ward_id }) => ward_id === id)
  // Under 13 and without a guardian nothing may be added; nor by a guardian while the account is suspended.
  const editable = own ? visibility !== 'guardian_missing' && visibility !== 'suspended' : ward?.suspended === false
  const facts = player.data
  const standing = editable ? 'owner' : coaches ? 'coach' : viewer === 'admin' && !own ? 'admin' : null
  return (
    <>
      {printing && (
        <PrintSheet id={id} name={name} headline={headline(facts)} facts={glance(facts)} bio={facts?.bio ?? null} />
      )}
      <div className="grid gap-6 print:hidden">
        <Identity
          id={id}
          name={name}
          player={facts}
          portrait={<Portrait id={id} name={name} photo={photo} editable={editable} />}
          actions={
            <>
              {editable && <EditButton id={id} player={facts} own={own} />}
              <ProfileActions id={id} name={name} />
            </>
          }
        />
        {own && visibility && visibility !== 'visible' && (
          <p className="rounded-xl bg-accent-soft p-4 print:hidden">{VISIBILITY[visibility]}</p>
        )}
        {own && <GuardianKeepsFiles id={id} />}
        {ward && slots.care(ward)}
        <Card title="At a glance">
          <Facts facts={glance(facts)} />
          {facts?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{facts.bio}</p>}
        </Card>
        {viewer === 'scout' && !own && slots.desk({ id, name, positions: facts?.positions ?? [] })}
        <Percentiles playerId={id} />
        <BelowTheFold>
          <Measurements
            player={{ id, name, acceptsCoachStats: facts?.accept_coach_stats ?? true }}
            viewerId={user?.id}
            standing={standing}
          />
          <ScorebookOf playerId={id} own={own} spray={slots.spray({ id, name })} />
          <Batting playerId={id} editable={editable} />
          <Pitching playerId={id} editable={editable} />
          <div className="grid items-start gap-6 lg:grid-cols-2">
            <Videos playerId={id} editable={editable} />
            <Commitments playerId={id} editable={editable} />
          </div>
          {role === 'player' && slots.teams({ id, role, own, inCare: Boolean(ward) })}
        </BelowTheFold>
      </div>
    </>
  )
}

/** Says to a minor who adds pictures. */
function GuardianKeepsFiles({ id }: { id: string }) {
  const { data: birthDate } = useQuery(birthDateQuery(id))
  if (!birthDate || ageOn(birthDate) >= ADULT_AGE) return null
  return (
    <p className="text-sm text-muted-foreground print:hidden">
      Until you are 18, your parent or guardian adds your photo and videos.{' '}
      <Link to={paths.settings} className="text-primary underline underline-offset-4">
        Settings
      </Link>{' '}
      invites them.
    </p>
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
      schema={async () => (await schemas()).playerSchema}
      defaults={defaults}
      draft={`player:${id}`}
      location="Player Profile"
      onSave={savePlayer}
    />
  )
}
