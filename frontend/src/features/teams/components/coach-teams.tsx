import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { AskToJoin, Pending } from '@/features/teams/components/pending'
import { Roster } from '@/features/teams/components/roster'
import { newTeamFields, schemas } from '@/features/teams/model'
import { useTeamForms } from '@/data/teams/mutations'
import { leaguesQuery, membershipsQuery } from '@/data/teams/queries'
import { Empty, Section } from '@/ui/section'

/** A coach's teams: making one, its roster, and the teams of others that wait for an answer. */
export function CoachTeams({ userId }: { userId: string }) {
  const query = useQuery(membershipsQuery(userId))
  const { data: leagues = [] } = useQuery(leaguesQuery)
  const { create } = useTeamForms()
  const coached = (query.data ?? []).filter(({ role, status }) => role === 'coach' && status === 'active')
  return (
    <>
      <Section
        title="Teams"
        text="Those you coach, and those that wait for an answer."
        query={query}
        problem="Your teams could not be loaded."
        actions={
          <>
            <RecordDialog
              trigger={
                <Button>
                  <Plus aria-hidden />
                  Create team
                </Button>
              }
              title="Create a team"
              text="You are its first coach. Players join when you invite them, or when you accept those who ask."
              fields={newTeamFields(leagues)}
              schema={async () => (await schemas()).newTeamSchema}
              defaults={{ name: '', league_id: '', city: '', state: '' }}
              draft={`new-team:${userId}`}
              location="Coach Profile"
              onSave={create}
            />
            <AskToJoin />
          </>
        }
      >
        {(memberships) => (
          <>
            {coached.length === 0 && <Empty>You coach no team here yet. Create one, or ask to join one.</Empty>}
            <Pending memberships={memberships} userId={userId} answering="self" />
          </>
        )}
      </Section>
      {coached.map(({ teams }) => teams && <Roster key={teams.id} team={teams} userId={userId} />)}
    </>
  )
}
