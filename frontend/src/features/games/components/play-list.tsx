import type { ReactNode } from 'react'
import { half, type GameRecord } from '@/data/games/model'
import { words } from '@/features/games/words'
import { cn } from '@/ui/class-names'

type PlayListProps = {
  records: readonly GameRecord[]
  name: (id: string) => string
  homeFirst: boolean
  /** Only plays on which somebody scored. */
  scoring?: boolean
  /** Buttons for a record. */
  actions?: (record: GameRecord) => ReactNode
}

/** The plays in words, the latest first. */
export function PlayList({ records, name, homeFirst, scoring = false, actions }: PlayListProps) {
  const shown = records.filter(({ outcome }) => !scoring || (outcome?.runs ?? 0) > 0).reverse()
  return (
    <ol reversed className="divide-y divide-border">
      {shown.map((record) => (
        <PlayItem key={record.id} record={record} name={name} homeFirst={homeFirst}>
          {actions?.(record)}
        </PlayItem>
      ))}
    </ol>
  )
}

type PlayItemProps = { record: GameRecord; name: (id: string) => string; homeFirst: boolean; children?: ReactNode }

function PlayItem({ record, name, homeFirst, children }: PlayItemProps) {
  const { title, detail } = words(record, name)
  const { outcome } = record
  const scored = (outcome?.runs ?? 0) > 0
  return (
    <li className={cn('flex items-center gap-3 py-3', scored && '-mx-2 rounded-lg bg-accent-soft px-2')}>
      <span className="w-16 shrink-0 text-sm text-muted-foreground">
        {outcome && half(outcome.inning, outcome.batting, homeFirst)}
      </span>
      <div className="min-w-0 grow">
        <p className="wrap-anywhere">
          <span className="font-semibold">{title}.</span> {detail && `${detail}.`}
        </p>
        {outcome?.turn && <p className="text-sm text-muted-foreground">{name(outcome.batter)}</p>}
      </div>
      {outcome && scored && (
        <span className="shrink-0 rounded-md bg-card px-2 py-1 text-sm font-semibold tabular-nums">
          {outcome.score.join('–')}
        </span>
      )}
      {children}
    </li>
  )
}
