import { useQuery } from '@tanstack/react-query'
import { LogOut, Monitor, Smartphone } from 'lucide-react'
import { useEndSession } from '@/data/security/mutations'
import { sessionsQuery } from '@/data/security/queries'
import { moment } from '@/lib/format'
import { Button } from '@/ui/button'
import { Row, Section } from '@/ui/section'
import { useRecentSignIn } from '@/features/settings/components/recent-sign-in'
import { deviceName } from '@/features/settings/model'

/** The user's sessions, each with a button to end it. */
export function Sessions({ userId, email }: { userId: string; email: string }) {
  const query = useQuery(sessionsQuery(userId))
  const [guard, confirmation] = useRecentSignIn(email)
  const signOut = useEndSession(userId, guard)
  const others = query.data?.filter(({ is_current }) => !is_current).length ?? 0
  return (
    <Section
      title="Sessions"
      text="Where you are signed in. If you do not know one of them, sign it out and change your password."
      query={query}
      problem="Your sessions could not be loaded."
      actions={
        others > 0 && (
          <Button variant="outline" disabled={signOut.isPending} onClick={() => signOut.mutate(null)}>
            <LogOut aria-hidden />
            Sign out everywhere else
          </Button>
        )
      }
    >
      {(sessions) => (
        <>
          <ul className="divide-y divide-border">
            {sessions.map(({ id, user_agent, ip, last_used_at, is_current }) => {
              const name = deviceName(user_agent)
              return (
                <Row
                  key={id}
                  icon={/Android|iOS/.test(name) ? <Smartphone aria-hidden /> : <Monitor aria-hidden />}
                  name={name}
                  facts={`${is_current ? 'This session' : `Last used ${moment(last_used_at)}`}${ip ? ` · ${ip}` : ''}`}
                >
                  {!is_current && (
                    <Button
                      variant="ghost"
                      size="sm"
                      aria-label={`Sign out ${name}`}
                      disabled={signOut.isPending}
                      onClick={() => signOut.mutate(id)}
                    >
                      Sign out
                    </Button>
                  )}
                </Row>
              )
            })}
          </ul>
          {confirmation}
        </>
      )}
    </Section>
  )
}
