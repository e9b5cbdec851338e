import { useQuery } from '@tanstack/react-query'
import { MailCheck } from 'lucide-react'
import { messageOf } from '@/lib/errors'
import { birthDateQuery } from '@/data/minors/queries'
import { Button } from '@/ui/button'
import { Card } from '@/ui/section'
import { Invitations } from '@/features/guardians/components/invitations'
import { OwnGuardians } from '@/features/guardians/components/own-guardians'
import { Wards } from '@/features/guardians/components/wards'
import { isAdult } from '@/features/guardians/model'
import { useProveMailbox } from '@/data/guardians/mutations'

/** The part of /settings for guardians and for their wards. */
export function GuardianSettings({ userId, email }: { userId: string; email: string }) {
  const { data: birthDate } = useQuery(birthDateQuery(userId))
  return (
    <>
      <OwnGuardians userId={userId} always />
      <Invitations userId={userId} />
      <Wards userId={userId} />
      {birthDate && isAdult(birthDate) && email && <ProveMailbox email={email} />}
    </>
  )
}

/** Invitations are shown only to proven addresses: otherwise anyone could answer for a child. */
function ProveMailbox({ email }: { email: string }) {
  const prove = useProveMailbox()
  return (
    <Card
      title="Guardian of a minor"
      text={`An invitation to ${email} shows on Home once you have opened a link that we mailed there.`}
    >
      <Button
        variant="outline"
        className="justify-self-start"
        disabled={prove.isPending}
        onClick={() => prove.mutate(email)}
      >
        <MailCheck aria-hidden />
        {prove.isPending ? 'Sending…' : 'Mail me a link'}
      </Button>
      {prove.isSuccess && (
        <p role="status" className="text-sm text-success">
          The link is on its way. It signs you in here, and your invitations show.
        </p>
      )}
      {prove.isError && (
        <p role="alert" className="text-sm text-destructive">
          {messageOf(prove.error, 'The link was not sent. Please try again.')}
        </p>
      )}
    </Card>
  )
}
