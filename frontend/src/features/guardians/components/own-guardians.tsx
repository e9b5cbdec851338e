import { useQuery } from '@tanstack/react-query'
import { Copy, Mail, ShieldCheck, UserRound } from 'lucide-react'
import { Suspense } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { birthDateQuery, visibilityQuery } from '@/data/minors/queries'
import { ADULT_AGE, ageOn, GUARDIAN_AGE, VISIBILITY } from '@/lib/minors'
import { Button } from '@/ui/button'
import { Row, Section, Skeleton } from '@/ui/section'
import { toast } from '@/ui/toast/toast-state'
import { currentGuardianships, invitationLetter, invitationText, type Guardianship } from '@/features/guardians/model'
import { useWithdrawInvitation } from '@/data/guardians/mutations'
import { guardiansQuery } from '@/data/guardians/queries'

const InviteForm = lazyScreen(() => import('@/features/guardians/components/invite-form'))

type OwnGuardiansProps = {
  userId: string
  /** On Home only what is to be done or has been begun is shown; elsewhere every minor's. */
  always?: boolean
}

/** A minor's own guardians: who was asked, what came of it, and another to ask. Nothing for adults. */
export function OwnGuardians({ userId, always = false }: OwnGuardiansProps) {
  const { data: birthDate } = useQuery(birthDateQuery(userId))
  const { data: visibility = '' } = useQuery(visibilityQuery(userId))
  const query = useQuery({ ...guardiansQuery(userId), select: currentGuardianships })
  if (!birthDate || visibility === 'suspended' || ageOn(birthDate) >= ADULT_AGE) return null
  const missing = visibility === 'guardian_missing'
  const open = query.data?.some(({ status }) => status === 'invited' || status === 'accepted')
  if (!always && !missing && !open && visibility !== 'hidden_by_guardian') return null
  return (
    <Section
      title={missing && !always ? 'Finish your profile' : 'Your guardian'}
      text={missing ? MISSING : (VISIBILITY[visibility] ?? '')}
      query={query}
      problem="Your guardians could not be loaded."
    >
      {(guardianships) => (
        <>
          {guardianships.length > 0 && (
            <ul className="divide-y divide-border">
              {guardianships.map((guardianship) => (
                <Guardian key={guardianship.id} {...guardianship} />
              ))}
            </ul>
          )}
          {(missing || always) && (
            <Suspense fallback={<InviteFormSkeleton />}>
              <InviteForm userId={userId} another={guardianships.length > 0} />
            </Suspense>
          )}
        </>
      )}
    </Section>
  )
}

/** Has the size of the invitation's form. */
function InviteFormSkeleton() {
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <Skeleton className="h-17.5 grow basis-56 sm:max-w-sm" />
        <Skeleton className="h-11 w-20 sm:mt-6.5" />
      </div>
      <Skeleton className="h-15 sm:h-5" />
    </div>
  )
}

const MISSING =
  `You are under ${GUARDIAN_AGE}: nobody else sees your profile, and nothing can be added to it, until a parent or ` +
  'guardian has accepted your account from one of their own.'

function Guardian({ id, status, invited_email, state }: Guardianship & { state: string }) {
  const withdraw = useWithdrawInvitation()
  const accepted = status === 'accepted'
  return (
    <Row
      icon={accepted ? <ShieldCheck aria-hidden /> : <UserRound aria-hidden />}
      name={invited_email}
      facts={withdraw.problem ?? state}
    >
      {status === 'invited' && (
        <span className="flex flex-wrap gap-1">
          <Button asChild size="sm" variant="outline">
            <a href={invitationLetter(invited_email, window.location.origin)}>
              <Mail aria-hidden />
              Write to them
            </a>
          </Button>
          <Button size="sm" variant="outline" onClick={() => void copy(invited_email)}>
            <Copy aria-hidden />
            Copy message
          </Button>
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Withdraw the invitation of ${invited_email}`}
            disabled={withdraw.isPending}
            onClick={() => withdraw.mutate(id)}
          >
            Withdraw
          </Button>
        </span>
      )}
    </Row>
  )
}

async function copy(address: string) {
  const text = invitationText(address, window.location.origin)
  await navigator.clipboard.writeText(text).then(
    () => toast({ title: 'Message copied', variant: 'success' }),
    () => toast({ title: 'Not copied', description: text, variant: 'error' }),
  )
}
