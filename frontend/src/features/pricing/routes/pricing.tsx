import { useQuery } from '@tanstack/react-query'
import { Check, Clock } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Prefetch } from '@/lib/prefetch'
import { usePageTitle } from '@/lib/page-title'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Empty, PageHeader, Problem } from '@/ui/section'
import { PageSpinner } from '@/ui/spinner'
import { chosenTier, priceText, saveTier } from '@/features/pricing/model'
import { membershipQuery, tiersQuery } from '@/data/pricing/queries'

export const prefetch: Prefetch = (begin, { userId }) => {
  void begin(tiersQuery)
  if (userId) void begin(membershipQuery(userId))
}

type Tier = {
  id: string
  name: string
  price_monthly: number
  tagline: string
  features: string[]
  coming_soon: string[]
}

/** `/pricing`: the tiers in the database. The visitor's choice is kept for the sign-up; nothing is charged. */
export default function PricingScreen() {
  const { user } = useSession()
  const tiers = useQuery(tiersQuery)
  const membership = useQuery(membershipQuery(user?.id))
  const chosen = user ? null : chosenTier(localStorage)
  usePageTitle('Pricing')
  return (
    <div className="grid gap-8">
      <PageHeader
        title="Pricing"
        text="Free to start, and free to stay. Payment setup is coming soon: nobody is charged today."
      />
      {tiers.isPending && <PageSpinner />}
      {tiers.isError && (
        <Problem text="The prices could not be loaded." error={tiers.error} onRetry={() => void tiers.refetch()} />
      )}
      {membership.isError && (
        <Problem
          text="Your plan could not be loaded."
          error={membership.error}
          onRetry={() => void membership.refetch()}
        />
      )}
      {tiers.data?.length === 0 && (
        <Empty>There are no plans to choose from right now. You can join all the same.</Empty>
      )}
      <ul className="grid gap-5 md:grid-cols-2 lg:grid-cols-[repeat(auto-fit,minmax(16rem,1fr))]">
        {tiers.data?.map((tier) => (
          <TierCard
            key={tier.id}
            tier={tier}
            signedIn={Boolean(user)}
            current={membership.data?.tier === tier.id}
            wanted={membership.data?.wanted_tier === tier.id}
            chosen={chosen === tier.id}
          />
        ))}
      </ul>
    </div>
  )
}

type TierCardProps = { tier: Tier; signedIn: boolean; current: boolean; wanted: boolean; chosen: boolean }

function TierCard({ tier, signedIn, current, wanted, chosen }: TierCardProps) {
  const navigate = useNavigate()
  const { name, price_monthly, tagline, features, coming_soon } = tier
  return (
    <li
      className={cn(
        'grid grid-rows-[auto_auto_1fr_auto] gap-5 rounded-2xl border bg-card p-6',
        current || chosen ? 'border-primary ring-1 ring-primary' : 'border-border',
      )}
    >
      <div>
        <h2 className="flex flex-wrap items-center justify-between gap-2 text-xl font-semibold">
          {name}
          {(current || chosen) && (
            <span className="rounded-full bg-secondary px-2.5 py-0.5 font-sans text-xs font-medium text-secondary-foreground">
              {current ? 'Your plan' : 'Your choice'}
            </span>
          )}
        </h2>
        <p className="mt-1 text-sm text-muted-foreground">{tagline}</p>
      </div>
      <p>
        <span className="font-display text-4xl font-bold tabular-nums">{priceText(price_monthly)}</span>
        {price_monthly > 0 && <span className="text-muted-foreground">/mo</span>}
      </p>
      <ul className="grid content-start gap-2 text-sm">
        {features.map((feature) => (
          <li key={feature} className="flex gap-2.5">
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-primary" />
            {feature}
          </li>
        ))}
        {coming_soon.map((feature) => (
          <li key={feature} className="flex gap-2.5 text-muted-foreground">
            <Clock aria-hidden className="mt-0.5 size-4 shrink-0" />
            {feature}: coming soon
          </li>
        ))}
      </ul>
      {signedIn ? (
        !current && (
          <p className="text-sm text-muted-foreground">
            {wanted ? 'You asked for this plan at sign-up. ' : ''}Payment setup is coming soon.
          </p>
        )
      ) : (
        <Button
          variant={price_monthly === 0 ? 'default' : 'outline'}
          onClick={() => {
            saveTier(localStorage, tier)
            void navigate(paths.signIn, { state: 'sign-up' })
          }}
        >
          {price_monthly === 0 ? 'Start free' : `Choose ${name}`}
        </Button>
      )}
    </li>
  )
}
