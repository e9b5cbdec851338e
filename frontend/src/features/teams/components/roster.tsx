import { useQuery } from '@tanstack/react-query'
import { Pencil, UserPlus } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '@/lib/paths'
import { Button } from '@/ui/button'
import { Face } from '@/ui/face'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card } from '@/ui/section'
import { DataTable, type Column } from '@/ui/table/data-table'
import { ChoiceDialog } from '@/features/teams/components/choice-dialog'
import { LeaveDialog } from '@/features/teams/components/leave-dialog'
import { LogoButton } from '@/features/teams/components/logo-button'
import { TeamCrest } from '@/features/teams/components/team-crest'
import { place, schemas, TEAM_FIELDS } from '@/features/teams/model'
import { usePhoto } from '@/data/media/queries'
import { useAccept, useLeave, useTeamForms } from '@/data/teams/mutations'
import { peopleQuery, rosterQuery, type Member, type Membership } from '@/data/teams/queries'

const STATUS: Readonly<Record<string, string>> = { active: 'On the team', invited: 'Invited', asked: 'Asks to join' }
const ROLES: Readonly<Record<string, string>> = { player: 'Player', coach: 'Coach' }

/** Members with a private profile are shown by name only once they are active. */
const nameOf = ({ profiles, role }: Member) => profiles?.full_name ?? `A private ${role}`

const COLUMNS: readonly Column<Member>[] = [
  { id: 'jersey', header: '#', value: (row) => row.jersey },
  {
    id: 'name',
    header: 'Name',
    value: nameOf,
    cell: (row) =>
      row.profiles ? (
        <span className="flex items-center gap-2.5">
          <MemberFace name={nameOf(row)} photo={row.profiles.photo} />
          <Link
            to={paths.playerById.replace(':id', row.user_id)}
            className="font-medium text-primary underline underline-offset-4"
          >
            {nameOf(row)}
          </Link>
        </span>
      ) : (
        nameOf(row)
      ),
  },
  { id: 'role', header: 'Role', value: (row) => ROLES[row.role] ?? row.role },
  { id: 'positions', header: 'Positions', value: (row) => row.profiles?.players?.positions.join(', ') },
  { id: 'class', header: 'Class', value: (row) => row.profiles?.players?.grad_year },
  { id: 'status', header: 'Status', value: (row) => STATUS[row.status] ?? row.status },
]

type RosterProps = { team: NonNullable<Membership['teams']>; userId: string }

/** A team as its coach sees it: who is in, who asks, and what to do about it. */
export function Roster({ team, userId }: RosterProps) {
  const query = useQuery(rosterQuery(team.id))
  const { rename, invite } = useTeamForms()
  const coaches = query.data?.filter(({ role, status }) => role === 'coach' && status === 'active').length ?? 0
  const actions: Column<Member> = {
    id: 'actions',
    header: '',
    value: () => null,
    cell: (row) => row.user_id !== userId && <MemberActions row={row} />,
  }
  return (
    <Card title={team.name} text={place(team) || undefined} aside={<TeamCrest team={team} size={56} />}>
      <div className="flex flex-wrap gap-3 print:hidden">
        <ChoiceDialog
          trigger={
            <Button variant="outline" size="sm" aria-label={`Invite to ${team.name}`}>
              <UserPlus aria-hidden />
              Invite
            </Button>
          }
          title={`Invite to ${team.name}`}
          text="They are on the team once they accept. A player with a private profile can ask to join instead."
          label="Player or coach"
          action="Invite"
          jersey
          search={peopleQuery}
          onChoose={(id, jersey) => invite(team.id, id, jersey)}
        />
        <RecordDialog
          trigger={
            <Button variant="outline" size="sm" aria-label={`Rename ${team.name}`}>
              <Pencil aria-hidden />
              Rename
            </Button>
          }
          title="Rename the team"
          text="Everybody sees the new name at once."
          fields={TEAM_FIELDS}
          schema={async () => (await schemas()).teamSchema}
          defaults={{ name: team.name, city: team.city ?? '', state: team.state ?? '' }}
          draft={`team:${team.id}`}
          location="Coach Profile"
          onSave={(values) => rename(team.id, values)}
        />
        <LogoButton team={team} />
        <LeaveDialog
          teamId={team.id}
          userId={userId}
          team={team.name}
          text={
            coaches > 1
              ? 'Its other coaches go on without you.'
              : 'You are its only coach: the team is closed when you leave. Invite another coach first to keep it open.'
          }
        />
      </div>
      <DataTable
        name={`Roster of ${team.name}`}
        prefix={`${team.id.slice(0, 8)}.`}
        query={query}
        columns={[...COLUMNS, actions]}
        rowKey={(row) => row.user_id}
        empty="Nobody is on the team yet. Invite your first player."
        searchable={false}
      />
    </Card>
  )
}

function MemberFace({ name, photo }: { name: string; photo: string | null }) {
  return <Face name={name} size={32} {...usePhoto(photo, 'small')} />
}

function MemberActions({ row }: { row: Member }) {
  const accept = useAccept()
  const leave = useLeave()
  const name = nameOf(row)
  // A coach who is on the team goes of their own accord only.
  if (row.role === 'coach' && row.status === 'active') return null
  const { team_id, user_id } = row
  return (
    <span className="flex items-center justify-end gap-1">
      {row.status === 'asked' && (
        <Button
          size="sm"
          aria-label={`Accept ${name}`}
          disabled={accept.isPending}
          onClick={() => accept.mutate({ team_id, user_id, done: `${name} is on the team` })}
        >
          Accept
        </Button>
      )}
      <RemovalDialog
        name={name}
        text={
          row.status === 'active'
            ? 'They are taken off the team, and you no longer see what they keep private.'
            : row.status === 'asked'
              ? 'Their request is turned down. They may ask again.'
              : 'The invitation is taken back.'
        }
        pending={leave.isPending}
        onRemove={() => leave.mutateAsync({ team_id, user_id, done: `${name} is off the list` })}
      />
    </span>
  )
}
