import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Pencil } from 'lucide-react'
import { fieldText } from '@/lib/fields'
import { text } from '@/lib/format'
import { usePageTitle } from '@/lib/page-title'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { PageHeader, Section } from '@/ui/section'
import { Facts } from '@/features/players/components/facts'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { SCOUT_FIELDS, scoutSchema } from '@/features/players/model'
import { useRecords } from '@/features/players/mutations'
import { profileQuery, scoutQuery } from '@/features/players/queries'

/** `/scout`: the own profile of a scout. */
export default function ScoutScreen() {
  const { user } = useSession()
  usePageTitle('Scout Profile')
  return user && <Profile id={user.id} />
}

function Profile({ id }: { id: string }) {
  const { data: profile } = useQuery(profileQuery(id))
  const query = useQuery(scoutQuery(id))
  const { saveScout } = useRecords(id)
  const scout = query.data
  return (
    <div className="grid gap-6">
      <PageHeader title={profile?.full_name || 'Scout Profile'} text={scout?.org}>
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
              text="What players and coaches see of you."
              fields={SCOUT_FIELDS}
              schema={scoutSchema}
              defaults={{ org: fieldText(scout?.org), regions: fieldText(scout?.regions), bio: fieldText(scout?.bio) }}
              draft={`scout:${id}`}
              location="Scout Profile"
              onSave={saveScout}
            />
          )}
          <ProfileActions id={id} name={profile?.full_name ?? ''} />
        </span>
      </PageHeader>
      <Section title="Scouting" text="For whom, and where." query={query} problem="Your profile could not be loaded.">
        {(scout) => (
          <>
            <Facts
              facts={[
                ['Organization', text(scout?.org)],
                ['Regions', text(scout?.regions.join(', '))],
              ]}
            />
            <p className="flex items-center gap-2 text-sm text-muted-foreground">
              <BadgeCheck aria-hidden className={scout?.verified_at ? 'size-4 text-success' : 'size-4'} />
              {scout?.verified_at ? 'Verified by an admin.' : 'Not verified yet: an admin does that.'}
            </p>
            {scout?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{scout.bio}</p>}
          </>
        )}
      </Section>
    </div>
  )
}
