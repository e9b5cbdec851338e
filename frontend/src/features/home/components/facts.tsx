import { useQuery } from '@tanstack/react-query'
import { Coins, Eye, EyeOff, UserRound, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '@/lib/format'
import { visibilityQuery } from '@/data/minors/queries'
import { VISIBILITY } from '@/lib/minors'
import type { Role } from '@/lib/role'
import { visibilityWord } from '@/features/home/model'

type FactsProps = { userId: string; role: Role; tokens: number }

/** The user's role, tokens and visibility. */
export function Facts({ userId, role, tokens }: FactsProps) {
  const { data: visibility } = useQuery(visibilityQuery(userId))
  return (
    <>
      <dl className="mt-6 grid grid-cols-3 divide-x divide-border rounded-2xl border border-border bg-card">
        <Fact icon={UserRound} name="Signed in as">
          <span className="capitalize">{role}</span>
        </Fact>
        <Fact icon={Coins} name="Referral tokens">
          <span className="tabular-nums">{count(tokens)}</span>
        </Fact>
        <Fact icon={visibility === 'visible' ? Eye : EyeOff} name="Your profile is">
          {visibilityWord(visibility)}
        </Fact>
      </dl>
      {visibility && visibility !== 'visible' && visibility !== 'suspended' && (
        <p className="mt-2 px-1 text-sm text-muted-foreground">{VISIBILITY[visibility]}</p>
      )}
    </>
  )
}

function Fact({ icon: Icon, name, children }: { icon: LucideIcon; name: string; children: ReactNode }) {
  return (
    <div className="relative flex flex-col justify-between p-4 sm:p-5 sm:pl-20">
      <dt className="text-xs text-muted-foreground sm:text-sm">
        <span className="absolute top-1/2 left-5 hidden size-11 -translate-y-1/2 place-items-center rounded-xl bg-secondary text-primary sm:grid">
          <Icon aria-hidden className="size-5" />
        </span>
        {name}
      </dt>
      <dd className="font-display text-lg font-bold sm:text-2xl">{children}</dd>
    </div>
  )
}
