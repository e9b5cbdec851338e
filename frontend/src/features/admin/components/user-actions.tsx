import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { count, day, moment } from '@/lib/format'
import { SIGNUP_ROLES } from '@/lib/role'
import { Button } from '@/ui/button'
import { RecordDialog, type RecordField } from '@/ui/record-dialog'
import { schemas } from '@/features/admin/model'
import { useAdministration, useVerify } from '@/data/admin/mutations'
import { tiersQuery } from '@/data/admin/queries'

type User = {
  id: string
  full_name: string
  role: string | null
  profile: string
  tier: string | null
  wanted_tier: string | null
  referral_tokens: number
  suspended_at: string | null
  suspension_reason: string | null
  verified_at: string | null
}

const REASON: RecordField = { name: 'reason', label: 'Why', type: 'textarea' }
const ROLE: RecordField = {
  name: 'role',
  label: 'Role',
  options: SIGNUP_ROLES.map((role) => [role, role]),
  wide: true,
}
const AMOUNT: RecordField = {
  name: 'amount',
  label: 'Tokens',
  type: 'number',
  help: 'How many to add; with a minus, to take.',
  wide: true,
}
const LOCATION = 'Admin'
/** What everybody has who asked for nothing else. */
const FREE = 'BASIC'

/** What is so, and beside it what changes it. */
export function UserActions({ user, own }: { user: User; own: boolean }) {
  return (
    <ul className="divide-y divide-border">
      <Role user={user} />
      <Standing user={user} own={own} />
      <Tokens user={user} />
      <Membership user={user} />
      {(user.profile === 'scout' || user.profile === 'coach') && <Verification user={user} role={user.profile} />}
      <BirthDate user={user} />
    </ul>
  )
}

function Item({ name, value, children }: { name: string; value: ReactNode; children?: ReactNode }) {
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 grow basis-56">
        <p className="text-sm text-muted-foreground">{name}</p>
        <p className="font-medium wrap-anywhere">{value}</p>
      </div>
      <div className="flex flex-wrap gap-2">{children}</div>
    </li>
  )
}

const trigger = (text: string) => <Button variant="outline">{text}</Button>

function Role({ user: { id, full_name, role, profile } }: { user: User }) {
  const { setRole } = useAdministration()
  return (
    <Item name="Role" value={role === profile ? role : `${role ?? ''}, with the pages of a ${profile}`}>
      <RecordDialog
        trigger={trigger('Set role')}
        title={`Role of ${full_name}`}
        text="What they see and may do changes at once. Admin rights are given on the server: dugout admin grant."
        fields={[ROLE, REASON]}
        schema={async () => (await schemas()).roleSchema}
        defaults={{ role: profile, reason: '' }}
        draft={`role:${id}`}
        location={LOCATION}
        onSave={(values) => setRole(id, values.role, values.reason)}
      />
    </Item>
  )
}

function Standing({ user: { id, full_name, suspended_at, suspension_reason }, own }: { user: User; own: boolean }) {
  const { suspend, unsuspend } = useAdministration()
  const suspension = {
    fields: [REASON],
    schema: async () => (await schemas()).reasonSchema,
    draft: `suspension:${id}`,
    location: LOCATION,
  }
  if (!suspended_at) {
    return (
      <Item name="State" value="Active">
        {!own && (
          <RecordDialog
            {...suspension}
            trigger={trigger('Suspend')}
            title={`Suspend ${full_name}?`}
            text="Signs them out and hides the profile. They see this note."
            defaults={{ reason: '' }}
            onSave={(values) => suspend(id, values.reason)}
          />
        )}
      </Item>
    )
  }
  return (
    <Item name="State" value={`Suspended since ${moment(suspended_at)}: “${suspension_reason ?? ''}”`}>
      <RecordDialog
        {...suspension}
        trigger={trigger('Change reason')}
        title={`Why ${full_name} is suspended`}
        text="They see this note."
        defaults={{ reason: suspension_reason ?? '' }}
        onSave={(values) => suspend(id, values.reason)}
      />
      <RecordDialog
        {...suspension}
        draft={`restoring:${id}`}
        trigger={trigger('Lift suspension')}
        title={`Lift the suspension of ${full_name}?`}
        text="They can be seen again, and do what they could do before."
        defaults={{ reason: '' }}
        onSave={(values) => unsuspend(id, values.reason)}
      />
    </Item>
  )
}

function Tokens({ user: { id, full_name, referral_tokens } }: { user: User }) {
  const { adjustTokens } = useAdministration()
  return (
    <Item name="Tokens" value={count(referral_tokens)}>
      <RecordDialog
        trigger={trigger('Adjust tokens')}
        title={`Tokens of ${full_name}`}
        text={`${count(referral_tokens)} now. A line is added to their ledger; the balance does not go below 0.`}
        fields={[AMOUNT, REASON]}
        schema={async () => (await schemas()).tokensSchema}
        defaults={{ amount: '', reason: '' }}
        draft={`tokens:${id}`}
        location={LOCATION}
        onSave={(values) => adjustTokens(id, values.amount, values.reason)}
      />
    </Item>
  )
}

function Membership({ user: { id, full_name, tier, wanted_tier } }: { user: User }) {
  const { setMembership } = useAdministration()
  const { data: tiers = [] } = useQuery(tiersQuery)
  const name = (tier: string | null) => tiers.find(({ id }) => id === tier)?.name ?? tier ?? '—'
  const wish = wanted_tier && ![tier, FREE].includes(wanted_tier) ? `, asked for ${name(wanted_tier)} at sign-up` : ''
  return (
    <Item name="Membership" value={name(tier) + wish}>
      <RecordDialog
        trigger={
          <Button variant="outline" disabled={tiers.length === 0}>
            Set membership
          </Button>
        }
        title={`Membership of ${full_name}`}
        text="Nothing is charged: payment setup is coming soon."
        fields={[
          { name: 'tier', label: 'Membership', options: tiers.map(({ id, name }) => [id, name]), wide: true },
          REASON,
        ]}
        schema={async () => (await schemas()).tierSchema}
        defaults={{ tier: tier ?? '', reason: '' }}
        draft={`tier:${id}`}
        location={LOCATION}
        onSave={(values) => setMembership(id, values.tier, values.reason)}
      />
    </Item>
  )
}

function Verification({ user: { id, verified_at }, role }: { user: User; role: 'coach' | 'scout' }) {
  const verify = useVerify(id, role)
  return (
    <Item
      name={role === 'coach' ? 'Coach' : 'Scout'}
      value={verified_at ? `Verified on ${day(verified_at)}` : 'Not verified'}
    >
      <Button variant="outline" disabled={verify.isPending} onClick={() => verify.mutate(!verified_at)}>
        {verified_at ? 'Take back' : `Verify ${role}`}
      </Button>
    </Item>
  )
}

function BirthDate({ user: { id, full_name } }: { user: User }) {
  const { clearBirthDate } = useAdministration()
  return (
    <Item name="Birth date" value="Admins do not see it.">
      <RecordDialog
        trigger={trigger('Clear birth date')}
        title={`Clear the birth date of ${full_name}?`}
        text="Use this if the user mistyped it. The user is asked again, and is treated as a minor until they answer."
        fields={[REASON]}
        schema={async () => (await schemas()).reasonSchema}
        defaults={{ reason: '' }}
        draft={`birth-date:${id}`}
        location={LOCATION}
        onSave={(values) => clearBirthDate(id, values.reason)}
      />
    </Item>
  )
}
