import { useQuery } from '@tanstack/react-query'
import { Award, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { fieldText, text } from '@/lib/format'
import type { Database } from '@/types/database'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { PageHeader, Section } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { CoachStanding } from '@/features/players/components/coach-standing'
import { Facts } from '@/features/players/components/facts'
import { Portrait } from '@/features/players/components/portrait'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { badges, COACH_FIELDS, schemas, timeSpan } from '@/features/players/model'
import { useRecords } from '@/data/players/mutations'
import { coachQuery } from '@/data/players/queries'

type CoachProfileProps = {
  id: string
  name: string
  photo: string | null
  /** What the person is; a fan or a player who opens /coach is not called a coach. */
  role?: string
  /** Whether it is the viewer's own, who may edit it. */
  own: boolean
  /** Whether the name is still being loaded. */
  unnamed?: boolean
  /** Shown below: the coach's teams. */
  children?: ReactNode
}

/** A coach's profile, as others and the coach see it. */
export function CoachProfile({ id, name, photo, role = 'coach', own, unnamed = false, children }: CoachProfileProps) {
  const query = useQuery(coachQuery(id))
  // The parts below load meanwhile, hidden, so that they do not shift when this arrives.
  const waiting = query.isPending || unnamed
  const coach = query.data
  return (
    <>
      {waiting && <PageSpinner />}
      <div className="grid gap-6" hidden={waiting}>
        <div className="flex items-start gap-4 sm:items-end sm:gap-6">
          <Portrait id={id} name={name} photo={photo} editable={own} />
          <PageHeader
            title={name}
            text={[role === 'coach' && 'Coach', coach?.team_name, coach?.league].filter(Boolean).join(' · ')}
            className="grow"
          >
            <span className="flex flex-wrap gap-3 print:hidden">
              {own && query.isSuccess && <EditButton id={id} coach={coach ?? null} />}
              <ProfileActions id={id} name={name} />
            </span>
          </PageHeader>
        </div>
        <Section
          title="Coaching"
          query={query}
          text="Where, and for how long."
          problem="This profile could not be loaded."
        >
          {(coach) => (
            <>
              <Facts
                facts={[
                  ['Team', text(coach?.team_name)],
                  ['League', text(coach?.league)],
                  ['Coaching for', coach ? timeSpan(coach.years_coaching, 0) : text(null)],
                  ['With the team', coach ? timeSpan(coach.years_current_team, coach.months_current_team) : text(null)],
                  [
                    'In the league',
                    coach ? timeSpan(coach.years_current_league, coach.months_current_league) : text(null),
                  ],
                ]}
              />
              <CoachStanding id={id} name={name} since={coach?.verified_at ?? null} own={own} />
              {coach?.display_badges && <Badges of={badges(coach)} />}
              {coach && coach.certifications.length > 0 && <Certifications names={coach.certifications} />}
              {coach?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{coach.bio}</p>}
              {own && coach && !coach.display_badges && (
                <p className="text-sm text-muted-foreground">Your badges are hidden. Show them with Edit.</p>
              )}
            </>
          )}
        </Section>
        {children}
      </div>
    </>
  )
}

function Badges({ of: names }: { of: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <ul aria-label="Badges" className="flex flex-wrap gap-2">
      {names.map((name) => (
        <li key={name} className="flex items-center gap-1.5 rounded-full bg-accent-soft px-3 py-1 text-sm font-medium">
          <Award aria-hidden className="size-4 text-accent" />
          {name}
        </li>
      ))}
    </ul>
  )
}

function Certifications({ names }: { names: readonly string[] }) {
  return (
    <div className="grid gap-2">
      <h3 className="text-sm text-muted-foreground">Certifications</h3>
      <ul aria-label="Certifications" className="flex flex-wrap gap-2">
        {names.map((name) => (
          <li
            key={name}
            className="rounded-full bg-secondary px-3 py-1 text-sm wrap-anywhere text-secondary-foreground"
          >
            {name}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Coach = Omit<Database['public']['Tables']['coaches']['Row'], 'user_id' | 'verified_at' | 'updated_at'>

function EditButton({ id, coach }: { id: string; coach: Coach | null }) {
  const { saveCoach } = useRecords(id)
  const said: Readonly<Record<string, string | number | boolean | string[] | null>> = coach ?? { display_badges: true }
  const texts = Object.fromEntries(
    COACH_FIELDS.map(({ name }) => {
      const value = said[name]
      return [name, typeof value === 'boolean' ? String(value) : fieldText(value)]
    }),
  )
  return (
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
      schema={async () => (await schemas()).coachSchema}
      defaults={texts}
      draft={`coach:${id}`}
      location="Coach Profile"
      onSave={saveCoach}
    />
  )
}
