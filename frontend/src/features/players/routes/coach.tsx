import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { fieldText } from '@/lib/fields'
import { text } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { Card, PageHeader, Section } from '@/ui/section'
import { Facts } from '@/features/players/components/facts'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { COACH_FIELDS, coachSchema } from '@/features/players/model'
import { useRecords } from '@/features/players/mutations'
import { coachQuery, profileQuery } from '@/features/players/queries'

/** `/coach`: the own profile of a coach. */
export default function CoachScreen() {
  const { user } = useSession()
  usePageTitle('Coach Profile')
  return user && <Profile id={user.id} />
}

function Profile({ id }: { id: string }) {
  const { data: profile } = useQuery(profileQuery(id))
  const query = useQuery(coachQuery(id))
  const { saveCoach } = useRecords(id)
  const coach = query.data
  const defaults = Object.fromEntries(
    COACH_FIELDS.map(({ name }) => [name, coach ? fieldText(String(coach[name as keyof typeof coach] ?? '')) : '']),
  )
  return (
    <div className="grid gap-6">
      <PageHeader title={profile?.full_name || 'Coach Profile'} text={coach?.team_name}>
        <span className="flex flex-wrap gap-3 print:hidden">
          {query.isSuccess && (
            <RecordDialog
              trigger={
                <Button>
                  <Pencil aria-hidden />
                  Edit
                </Button>
              }
              title="Edit your profile"
              text="What players, parents and scouts see of you."
              fields={COACH_FIELDS}
              schema={coachSchema}
              defaults={{
                ...defaults,
                certifications: fieldText(coach?.certifications),
                display_badges: String(coach?.display_badges ?? true),
              }}
              draft={`coach:${id}`}
              location="Coach Profile"
              onSave={saveCoach}
            />
          )}
          <ProfileActions id={id} name={profile?.full_name ?? ''} />
        </span>
      </PageHeader>
      <Section
        title="Coaching"
        query={query}
        text="Where, and for how long."
        problem="Your profile could not be loaded."
      >
        {(coach) => (
          <>
            <Facts
              facts={[
                ['Team', text(coach?.team_name)],
                ['League', text(coach?.league)],
                ['Coaching for', coach ? span(coach.years_coaching, 0) : text(null)],
                ['With the team', coach ? span(coach.years_current_team, coach.months_current_team) : text(null)],
                ['In the league', coach ? span(coach.years_current_league, coach.months_current_league) : text(null)],
                ['Badges', coach ? (coach.display_badges ? 'Shown' : 'Hidden') : text(null)],
              ]}
            />
            {coach?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{coach.bio}</p>}
          </>
        )}
      </Section>
      {coach?.display_badges && coach.certifications.length > 0 && (
        <Card title="Certifications">
          <ul className="flex flex-wrap gap-2">
            {coach.certifications.map((name) => (
              <li key={name} className="rounded-full bg-secondary px-3 py-1 text-sm text-secondary-foreground">
                {name}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}

/** "2 years, 3 months" */
function span(years: number, months: number): string {
  const parts = [years > 0 && plural(years, 'year'), months > 0 && plural(months, 'month')]
  return parts.filter(Boolean).join(', ') || 'Less than a month'
}

const plural = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`
