import { useQuery } from '@tanstack/react-query'
import { KeyRound, MessageSquare, Smartphone, type LucideIcon } from 'lucide-react'
import { KIND_NAMES, type SecondFactor } from '@/data/security/model'
import { useRemoveFactor } from '@/data/security/mutations'
import { sendsMessagesQuery } from '@/data/security/phone'
import { factorsQuery } from '@/data/security/queries'
import { hasAuthenticators } from '@/lib/authenticators'
import { AppDialog } from '@/features/settings/components/app-dialog'
import { KeyDialog } from '@/features/settings/components/key-dialog'
import { PhoneDialog } from '@/features/settings/components/phone-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Row, Section } from '@/ui/section'
import { day } from '@/features/settings/model'

const ICONS: Record<SecondFactor['kind'], LucideIcon> = { totp: Smartphone, webauthn: KeyRound, phone: MessageSquare }

/** What is asked for after the password. */
export function SecondFactors({ userId }: { userId: string }) {
  const query = useQuery(factorsQuery(userId))
  const { data: sendsMessages = false } = useQuery(sendsMessagesQuery)
  const remove = useRemoveFactor(userId)
  const taken = query.data?.map(({ name }) => name) ?? []
  return (
    <Section
      title="Two-step sign-in"
      text="Signing in also asks for a second factor, so that your password alone is not enough."
      query={query}
      problem="Your second factors could not be loaded."
      actions={
        <>
          <AppDialog userId={userId} taken={taken} />
          {sendsMessages && <PhoneDialog userId={userId} taken={taken} />}
          {hasAuthenticators() && <KeyDialog userId={userId} taken={taken} />}
        </>
      }
    >
      {(factors) =>
        factors.length === 0 ? (
          <Empty>Two-step sign-in is off. Add an authenticator app or a security key to turn it on.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {factors.map(({ id, kind, name, since }) => {
              const Icon = ICONS[kind]
              return (
                <Row
                  key={id}
                  icon={<Icon aria-hidden />}
                  name={name}
                  facts={`${KIND_NAMES[kind]} · since ${day(since)}`}
                >
                  <RemovalDialog
                    name={name}
                    text={
                      factors.length === 1
                        ? 'It is the only one: two-step sign-in will be off.'
                        : 'Your other second factors go on.'
                    }
                    pending={remove.isPending}
                    onRemove={() => remove.mutateAsync(id)}
                  />
                </Row>
              )
            })}
          </ul>
        )
      }
    </Section>
  )
}
