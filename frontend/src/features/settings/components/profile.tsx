import { useQuery } from '@tanstack/react-query'
import { Suspense, useId } from 'react'
import { useSaveAccount } from '@/data/account/mutations'
import { accountQuery } from '@/data/account/queries'
import { messageOf } from '@/lib/errors'
import { lazyScreen } from '@/lib/lazy-screen'
import { visibilityQuery } from '@/data/minors/queries'
import { VISIBILITY } from '@/lib/minors'
import { Section, Skeleton } from '@/ui/section'
import { Switch } from '@/ui/switch'

const FullNameForm = lazyScreen(() => import('@/features/settings/components/full-name-form'))

/** The name, and who may see the profile. */
export function Profile({ userId }: { userId: string }) {
  const query = useQuery(accountQuery(userId))
  return (
    <>
      <Section
        title="Profile"
        text="The name that others see."
        query={query}
        skeleton={<FormSkeleton />}
        problem="Your account could not be loaded."
      >
        {({ full_name }) => (
          <Suspense fallback={<FormSkeleton />}>
            <FullNameForm userId={userId} fullName={full_name} />
          </Suspense>
        )}
      </Section>
      <Section
        title="Privacy"
        text="Who can see your profile."
        query={query}
        skeleton={<Skeleton className="h-14" />}
        problem="Your account could not be loaded."
      >
        {({ public_profile }) => <Privacy userId={userId} isPublic={public_profile} />}
      </Section>
    </>
  )
}

/** Has the size of the name's form. */
function FormSkeleton() {
  return (
    <div className="grid gap-4">
      <div className="grid gap-1.5">
        <Skeleton className="h-5 w-24" />
        <Skeleton className="h-11" />
      </div>
      <Skeleton className="h-11 w-20" />
    </div>
  )
}

/** For children under 13 the guardian decides. */
const GUARDIANS_CHOICE = ['guardian_missing', 'guardian_decides']

function Privacy({ userId, isPublic }: { userId: string; isPublic: boolean }) {
  const id = useId()
  const save = useSaveAccount(userId)
  const { data: visibility } = useQuery(visibilityQuery(userId))
  return (
    <div className="grid gap-3">
      <div className="flex items-center gap-4">
        <Switch
          id={id}
          checked={isPublic}
          disabled={save.isPending || GUARDIANS_CHOICE.includes(visibility ?? '')}
          onCheckedChange={(public_profile) => save.mutate({ public_profile })}
        />
        <label htmlFor={id} className="font-medium">
          Public profile
        </label>
      </div>
      {visibility && <p className="text-sm text-muted-foreground">{VISIBILITY[visibility] ?? ''}</p>}
      {save.isError && (
        <p role="alert" className="text-sm text-destructive">
          {messageOf(save.error, 'That was not saved. Please try again.')}
        </p>
      )}
    </div>
  )
}
