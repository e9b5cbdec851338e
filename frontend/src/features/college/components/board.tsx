import { CalendarClock } from 'lucide-react'
import { useState } from 'react'
import { STATUSES, type Board, type Level, type Program, type Status, type Target } from '@/data/college/model'
import { useMoveTarget } from '@/data/college/mutations'
import { shortDay } from '@/lib/format'
import { cn } from '@/ui/class-names'
import { Crest } from '@/ui/crest'
import { Select } from '@/ui/select'
import { fitOf, isStatus, nextOf, STATUS_NAMES, today, type Fit } from '@/features/college/model'

type BoardProps = {
  board: Board
  targets: readonly Target[]
  programs: ReadonlyMap<string, Program>
  levels: readonly Level[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

/**
 * The programs in five columns. A card is dragged to another column, or moved with its list of columns. On a phone the columns
 * scroll sideways, one at a time.
 */
export function BoardColumns({ board, targets, programs, levels, chosen, onChoose }: BoardProps) {
  const move = useMoveTarget(board.playerId)
  const [over, setOver] = useState<Status | null>(null)
  const [said, setSaid] = useState('')
  function moveTo(target: Target, status: Status) {
    if (status === target.status) return
    move.mutate({ id: target.id, status })
    setSaid(`${programs.get(target.program_id)?.name ?? 'The program'} moved to ${STATUS_NAMES[status]}.`)
  }
  return (
    <div
      role="region"
      aria-label="Board"
      // It scrolls by itself, so it can be reached by keyboard.
      tabIndex={0}
      className="relative -mx-4 flex snap-x snap-mandatory scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 xl:mx-0 xl:grid xl:grid-cols-5 xl:overflow-visible xl:px-0"
    >
      <p role="status" className="sr-only">
        {said}
      </p>
      {STATUSES.map((status) => {
        const own = targets.filter((target) => target.status === status)
        return (
          <section
            key={status}
            aria-label={STATUS_NAMES[status]}
            className={cn(
              'grid min-h-56 w-72 shrink-0 snap-start content-start gap-2 rounded-2xl bg-muted p-2 xl:w-auto',
              over === status && 'outline-2 outline-ring',
            )}
            onDragOver={(event) => {
              event.preventDefault()
              setOver(status)
            }}
            onDragLeave={() => setOver(null)}
            onDrop={(event) => {
              setOver(null)
              const target = targets.find(({ id }) => id === event.dataTransfer.getData('text/plain'))
              if (target && board.writes) moveTo(target, status)
            }}
          >
            <h2 className="px-2 pt-1 text-sm font-semibold">
              {STATUS_NAMES[status]}{' '}
              <span className="font-normal text-muted-foreground tabular-nums">{own.length}</span>
            </h2>
            {own.map((target) => {
              const program = programs.get(target.program_id)
              return (
                program && (
                  <Card
                    key={target.id}
                    target={target}
                    program={program}
                    board={board}
                    fit={fitOf(board, program, levels)}
                    chosen={target.id === chosen}
                    onChoose={() => onChoose(target.id)}
                    onMove={(status) => moveTo(target, status)}
                  />
                )
              )
            })}
          </section>
        )
      })}
    </div>
  )
}

type CardProps = {
  target: Target
  program: Program
  board: Board
  fit: Fit | null
  chosen: boolean
  onChoose: () => void
  onMove: (status: Status) => void
}

function Card({ target, program, board, fit, chosen, onChoose, onMove }: CardProps) {
  const next = nextOf(target, today())
  return (
    <article
      aria-label={program.name}
      draggable={board.writes}
      onDragStart={(event) => event.dataTransfer.setData('text/plain', target.id)}
      className={cn(
        'grid gap-2 rounded-xl border border-border bg-card p-3 text-sm',
        board.writes && 'cursor-grab active:cursor-grabbing',
        chosen && 'border-primary shadow-[inset_3px_0_0_var(--color-primary)]',
      )}
    >
      <div className="flex items-center gap-2">
        <Crest name={program.name} url={undefined} size={40} />
        <div className="min-w-0">
          <button
            type="button"
            aria-expanded={chosen}
            className="rounded text-left font-semibold wrap-anywhere underline-offset-4 hover:text-primary hover:underline"
            onClick={onChoose}
          >
            {program.name}
          </button>
          <p className="text-xs text-muted-foreground">
            {[`D${program.division}`, program.conference].filter(Boolean).join(' · ')}
          </p>
        </div>
      </div>
      <FitLine board={board} program={program} fit={fit} />
      {next && (
        <p
          className={cn(
            'flex items-center gap-1.5 text-xs',
            next.late ? 'font-semibold text-accent' : 'text-muted-foreground',
          )}
        >
          <CalendarClock aria-hidden className="size-3.5 shrink-0" />
          <span className="wrap-anywhere">
            {next.text}
            {next.on && `, ${next.late ? 'was due' : ''} ${shortDay(next.on)}`}
          </span>
        </p>
      )}
      {board.writes && (
        <Select
          aria-label={`Column of ${program.name}`}
          className="h-9 text-xs sm:text-xs"
          value={target.status}
          onChange={({ target: { value } }) => isStatus(value) && onMove(value)}
        >
          {STATUSES.map((status) => (
            <option key={status} value={status}>
              {STATUS_NAMES[status]}
            </option>
          ))}
        </Select>
      )}
    </article>
  )
}

/** The fit band as a word, and as a dot on a scale from 0 to 100. Without a band it says why. */
function FitLine({ board, program, fit }: { board: Board; program: Program; fit: Fit | null }) {
  if (!fit) {
    return (
      <p className="text-xs text-muted-foreground">
        {program.rpi_rank === null
          ? 'No numbers of players for this division'
          : board.whatIf === null
            ? 'Set a level below to see the fit'
            : 'No fit known'}
      </p>
    )
  }
  return (
    <p className="flex items-center gap-2">
      <span aria-hidden className="relative block h-1.5 w-24 rounded-full bg-muted">
        <span className="absolute inset-y-0 left-1/4 w-1/2 rounded-full bg-primary/35" />
        <span
          className="absolute top-1/2 size-2.5 -translate-1/2 rounded-full bg-foreground"
          style={{ left: `${fit.percentile}%` }}
        />
      </span>
      <strong className="text-xs">{fit.band}</strong>
      <span className="sr-only">, percentile {fit.percentile} of freshmen there</span>
    </p>
  )
}
