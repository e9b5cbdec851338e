import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { day, fieldText, text } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { PageHeader, Section } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { Facts } from '@/features/players/components/facts'
import { Portrait } from '@/features/players/components/portrait'
import { ProfileActions } from '@/features/players/components/profile-actions'
import { SCOUT_FIELDS, schemas } from '@/features/players/model'
import { useRecords } from '@/data/players/mutations'
import { scoutQuery } from '@/data/players/queries'

type ScoutProfileProps = {
  id: string
  name: string
  photo: string | null
  /** What the person is; a fan or a player who opens /scout is not called a scout. */
  role?: string
  /** Whether it is the viewer's own, who may edit it. */
  own: boolean
  /** Whether the name is still being loaded. */
  unnamed?: boolean
  /** Shown below: the scout's private desk. */
  children?: ReactNode
}

/** For whom a scout works, and where; for everybody and for the scout. */
export function ScoutProfile(props: ScoutProfileProps) {
  const { id, name, photo, role = 'scout', own, unnamed = false, children } = props
  const query = useQuery(scoutQuery(id))
  // The parts below load meanwhile, hidden, so that they do not shift when this arrives.
  const waiting = query.isPending || unnamed
  const { saveScout } = useRecords(id)
  const scout = query.data
  return (
    <>
      {waiting && <PageSpinner />}
      <div className="grid gap-6" hidden={waiting}>
        <div className="flex items-start gap-4 sm:items-end sm:gap-6">
          <Portrait id={id} name={name} photo={photo} editable={own} />
          <PageHeader
            title={name}
            text={[role === 'scout' && 'Scout', scout?.org].filter(Boolean).join(' · ')}
            className="grow"
          >
            <span className="flex flex-wrap gap-3 print:hidden">
              {own && query.isSuccess && (
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
                  schema={async () => (await schemas()).scoutSchema}
                  defaults={{
                    org: fieldText(scout?.org),
                    regions: fieldText(scout?.regions),
                    bio: fieldText(scout?.bio),
                  }}
                  draft={`scout:${id}`}
                  location="Scout Profile"
                  onSave={saveScout}
                />
              )}
              <ProfileActions id={id} name={name} />
            </span>
          </PageHeader>
        </div>
        <Section title="Scouting" text="For whom, and where." query={query} problem="This profile could not be loaded.">
          {(scout) => (
            <>
              <Facts
                facts={[
                  ['Organization', text(scout?.org)],
                  ['Regions', text(scout?.regions.join(', '))],
                ]}
              />
              <Verified since={scout?.verified_at ?? null} own={own} />
              {scout?.bio && <p className="max-w-2xl leading-relaxed whitespace-pre-line">{scout.bio}</p>}
            </>
          )}
        </Section>
        {children}
      </div>
    </>
  )
}

function Verified({ since, own }: { since: string | null; own: boolean }) {
  return (
    <p className="flex items-center gap-2 text-sm text-muted-foreground">
      <BadgeCheck aria-hidden className={since ? 'size-4 text-success' : 'size-4'} />
      {since ? `Verified scout since ${day(since)}.` : own ? 'Not verified yet: an admin does that.' : 'Not verified.'}
    </p>
  )
}
