import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { ALWAYS_ON, type Channel, CHANNELS, preferenceKey, SENT, type Topic, TOPICS } from '@/data/account/model'
import { useSetPreference } from '@/data/account/mutations'
import { preferencesQuery } from '@/data/account/queries'
import { Section } from '@/ui/section'
import { Switch } from '@/ui/switch'

const TOPIC_ENTRIES = Object.entries(TOPICS) as [Topic, string][]
const CHANNEL_ENTRIES = Object.entries(CHANNELS) as [Channel, string][]

/** Which notifications the user wants, and how. */
export function NotificationMatrix({ userId }: { userId: string }) {
  const query = useQuery(preferencesQuery(userId))
  const set = useSetPreference(userId)
  return (
    <Section
      title="Notification settings"
      text="The bell shows what happens while you use Dugout, and what happened in the three days before. For recruiting, the bell and e-mails tell you of new players in your saved searches."
      query={query}
      problem="Your choices could not be loaded."
    >
      {(wanted) => (
        <table className="w-full text-left">
          <thead>
            <tr className="border-b border-border text-sm text-muted-foreground">
              <th scope="col" className="py-2 font-medium">
                About
              </th>
              {CHANNEL_ENTRIES.map(([channel, name]) => (
                <th key={channel} scope="col" className="py-2 text-center font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {TOPIC_ENTRIES.map(([topic, name]) => (
              <tr key={topic}>
                <th scope="row" className="py-3 font-medium">
                  {name}
                </th>
                {CHANNEL_ENTRIES.map(([channel, way]) => (
                  <td key={channel} className="py-3 text-center">
                    {SENT[channel].includes(topic) ? (
                      <Switch
                        aria-label={`${name}: ${way}`}
                        checked={wanted.get(preferenceKey(topic, channel)) ?? true}
                        disabled={topic === ALWAYS_ON}
                        onCheckedChange={(enabled) => set.mutate({ topic, channel, enabled })}
                      />
                    ) : (
                      <ComingSoon name={`${name}: ${way}`} />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}

/** In place of the switch of notifications that are not sent yet. */
function ComingSoon({ name }: { name: string }) {
  const note = useId()
  return (
    <>
      <Switch aria-label={name} aria-describedby={note} checked={false} disabled />
      <span id={note} className="block text-sm text-muted-foreground">
        Coming soon
      </span>
    </>
  )
}
