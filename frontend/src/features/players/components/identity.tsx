import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, GraduationCap, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLogo } from '@/data/media/queries'
import { commitmentsQuery, percentilesQuery } from '@/data/players/queries'
import { membershipsQuery } from '@/data/teams/queries'
import { feet, UNKNOWN } from '@/lib/format'
import { Crest } from '@/ui/crest'
import { KeyNumbers } from '@/features/players/components/key-numbers'
import { PositionDiamond } from '@/features/players/components/position-diamond'
import { COMMITMENT_STATUS } from '@/features/players/model'
import { evidenceOf } from '@/features/players/percentile-blocks'

type Who = {
  positions: string[]
  jersey: string | null
  bats: string | null
  throws: string | null
  height_in: number | null
  weight_lb: number | null
  grad_year: number | null
  school: string | null
  hometown: string | null
  state: string | null
}

type IdentityProps = { id: string; name: string; player: Who | null; portrait: ReactNode; actions: ReactNode }

/** The head of a player's page: who it is, and up to five numbers. It is night in both themes. */
export function Identity({ id, name, player, portrait, actions }: IdentityProps) {
  return (
    <header>
      <div className="relative overflow-hidden rounded-2xl border-b-3 border-clay bg-linear-100 from-night-raised to-night px-3 pt-4 pb-10 text-night-foreground [color-scheme:dark] sm:px-5 sm:pt-5 sm:pb-12">
        {player?.jersey && <Numeral jersey={player.jersey} />}
        <div className="relative flex flex-wrap items-start gap-x-5 gap-y-4">
          {portrait}
          <div className="grid min-w-0 grow basis-56 content-start gap-1.5">
            <Team id={id} />
            <h1 className="text-2xl/7 font-bold wrap-anywhere sm:text-[2.25rem]/10">{name}</h1>
            <FactsLine player={player} />
            <Badges id={id} />
          </div>
          {player && (
            <span className="shrink-0 max-lg:hidden">
              <PositionDiamond positions={player.positions} />
            </span>
          )}
          <div className="flex flex-wrap gap-2 [--color-muted-foreground:var(--color-night-muted)] print:hidden">
            {actions}
          </div>
        </div>
      </div>
      <KeyNumbers id={id} positions={player?.positions ?? []} />
    </header>
  )
}

function Numeral({ jersey }: { jersey: string }) {
  return (
    <span
      aria-hidden
      className="pointer-events-none absolute -top-6 right-[18%] font-display text-[11rem] leading-none font-bold text-white/8 select-none"
    >
      {jersey}
    </span>
  )
}

/** The first team that the player is in, for as long as the viewer sees it. */
function Team({ id }: { id: string }) {
  const { data: memberships = [] } = useQuery(membershipsQuery(id))
  const team = memberships.find(
    ({ status, role, teams }) => status === 'active' && role === 'player' && teams?.active,
  )?.teams
  const logo = useLogo(team?.logo)
  // The row keeps its height while teams load.
  return (
    <p className="flex min-h-7 items-center gap-1.5 text-sm font-medium text-night-muted">
      {team && (
        <>
          <Crest name={team.name} size={28} {...logo} />
          <span className="wrap-anywhere">{team.name}</span>
        </>
      )}
    </p>
  )
}

function FactsLine({ player }: { player: Who | null }) {
  if (!player) return null
  const { positions, grad_year, bats, throws, height_in, weight_lb, school, hometown, state, jersey } = player
  const facts = [
    positions.join(', '),
    grad_year && `Class of ${grad_year}`,
    (bats || throws) && `B/T ${bats ?? UNKNOWN}/${throws ?? UNKNOWN}`,
    height_in && feet(height_in),
    weight_lb && `${weight_lb} lb`,
    jersey && `#${jersey}`,
    school,
    [hometown, state].filter(Boolean).join(', '),
  ].filter((fact): fact is string => Boolean(fact))
  return (
    <ul className="flex flex-wrap gap-y-0.5 text-sm tabular-nums">
      {facts.map((fact) => (
        <li
          key={fact}
          className="wrap-anywhere not-last:after:px-2 not-last:after:text-night-muted not-last:after:content-['·']"
        >
          {fact}
        </li>
      ))}
    </ul>
  )
}

function Badges({ id }: { id: string }) {
  const { data: numbers = [] } = useQuery(percentilesQuery(id))
  const { data: commitments = [] } = useQuery(commitmentsQuery(id))
  const checked = numbers.filter((row) => evidenceOf(row) !== 'claimed').length
  const commitment = commitments.find(({ status }) => status !== 'withdrawn')
  const status = COMMITMENT_STATUS[commitment?.status as keyof typeof COMMITMENT_STATUS] as string | undefined
  return (
    <ul className="flex min-h-6 flex-wrap gap-2 text-xs font-medium">
      {checked > 0 && (
        <Badge icon={BadgeCheck}>
          {checked} of {numbers.length} numbers verified or scorebook
        </Badge>
      )}
      {commitment && status && (
        <Badge icon={GraduationCap}>
          {status}: {commitment.program}
        </Badge>
      )}
    </ul>
  )
}

function Badge({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="inline-flex min-h-6 items-center gap-1.5 rounded-lg bg-white/10 px-2 wrap-anywhere">
      <Icon aria-hidden className="size-3.5 shrink-0" />
      <span>{children}</span>
    </li>
  )
}
