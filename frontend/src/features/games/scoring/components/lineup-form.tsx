import { ArrowDown, ArrowUp, GripVertical, Plus, X } from 'lucide-react'
import { useState, type ComponentProps } from 'react'
import type { Athlete, Game, Side } from '@/data/games/model'
import { nameOf, SIDES } from '@/data/games/model'
import type { LineupEntry } from '@/data/games/scoring'
import { moved, useDragOrder } from '@/features/games/scoring/components/drag-order'
import { EntryCheck } from '@/features/games/scoring/components/pitching'
import { entriesOf, FIELD, linesOf, newGuest, problemOfLines, type Line } from '@/features/games/scoring/lineup'
import type { PitchCheck } from '@/features/games/scoring/pitch-check'
import type { PitchWarning } from '@/features/games/scoring/pitch-limits'
import { messageOf } from '@/lib/errors'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { Input } from '@/ui/input'
import { Card, Empty } from '@/ui/section'
import { Select } from '@/ui/select'

type LineupFormProps = {
  game: Game
  /** The own side's roster. */
  roster: readonly Athlete[]
  check: PitchCheck
  onSave: (lineups: LineupEntry[]) => Promise<unknown>
  onDone: () => void
}

/** Both lineups: who bats in which order, and where everybody plays. */
export function LineupForm({ game, roster, check, onSave, onDone }: LineupFormProps) {
  const [sides, setSides] = useState(() =>
    SIDES.map((side) =>
      linesOf(
        side,
        game.athletes.values(),
        roster.filter((athlete) => athlete.side === side),
      ),
    ),
  )
  const [problem, setProblem] = useState<string | null>(null)
  const [warning, setWarning] = useState<PitchWarning | null>(null)
  const [busy, setBusy] = useState(false)
  const change = (side: Side, lines: Line[]) =>
    setSides((all) => all.map((old, index) => (index === side ? lines : old)))
  const teams = [game.visitor_name, game.home_name]
  async function save() {
    for (const side of SIDES) {
      const found = problemOfLines(sides[side] ?? [], game.uses_dh)
      if (found) {
        setProblem(`${teams[side]}: ${found}`)
        return
      }
    }
    const found = newPitchers(game, sides.flat()).map(check.warn).find(Boolean) ?? null
    setWarning(found)
    if (found) return
    setBusy(true)
    try {
      await onSave(SIDES.flatMap((side) => entriesOf(side, sides[side] ?? [], game.uses_dh)))
      onDone()
    } catch (error) {
      setProblem(messageOf(error, 'The lineups could not be saved. Please try again.'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      {SIDES.map((side) => (
        <SideLines
          key={side}
          team={teams[side] ?? ''}
          lines={sides[side] ?? []}
          onChange={(lines) => change(side, lines)}
        />
      ))}
      <div className="sticky bottom-0 grid gap-3 border-t border-border bg-background py-3">
        {problem && (
          <p role="alert" className="text-destructive">
            {problem}
          </p>
        )}
        <Button size="lg" disabled={busy} onClick={() => void save()}>
          {busy ? 'Saving…' : 'Save lineups'}
        </Button>
      </div>
      <EntryCheck
        warning={warning}
        onClose={() => setWarning(null)}
        onContinue={async (over, reason) => {
          const kept = await check.override(over, reason)
          if (kept) await save()
          return kept
        }}
      />
    </div>
  )
}

/** The players who pitch in these lines, but not in the saved ones. */
const newPitchers = (game: Game, lines: readonly Line[]) =>
  lines
    .filter(({ athlete, position }) => position === '1' && game.athletes.get(athlete)?.position !== 1)
    .map(({ athlete, known, name }) => ({ id: athlete, name: known ? nameOf(known) : name }))

type SideLinesProps = { team: string; lines: Line[]; onChange: (lines: Line[]) => void }

function SideLines({ team, lines, onChange }: SideLinesProps) {
  const set = (index: number, changes: Partial<Line>) =>
    onChange(lines.map((line, at) => (at === index ? { ...line, ...changes } : line)))
  const move = (from: number, to: number) => onChange(moved(lines, from, to))
  const { list, held, handle } = useDragOrder(move)
  /** The next free position for each line that has none: pitcher last, as most order it. */
  const nine = () => {
    const guests = Array.from({ length: 9 }, (_, index) => ({
      ...newGuest(),
      jersey: String(index + 1),
      position: String(index === 8 ? 1 : index + 2),
    }))
    onChange([...lines, ...guests])
  }
  return (
    <Card title={team} text="The order is from top to bottom. Who has no position sits on the bench.">
      {lines.length === 0 && <Empty>Nobody is here yet.</Empty>}
      <ol ref={list} className="grid gap-3">
        {lines.map((line, index) => (
          <LineRow
            key={line.athlete}
            line={line}
            number={index + 1}
            team={team}
            handle={handle(index)}
            by={held?.from === index ? held.by : null}
            target={held !== null && held.to !== held.from && held.to === index}
            onChange={(changes) => set(index, changes)}
            onUp={index > 0 ? () => move(index, index - 1) : undefined}
            onDown={index < lines.length - 1 ? () => move(index, index + 1) : undefined}
            onRemove={line.known ? undefined : () => onChange(lines.filter((_, at) => at !== index))}
          />
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Button variant="outline" onClick={() => onChange([...lines, newGuest()])}>
          <Plus aria-hidden />
          Add player
        </Button>
        {lines.length === 0 && (
          <Button variant="outline" onClick={nine}>
            <Plus aria-hidden />
            Add nine by number
          </Button>
        )}
      </div>
    </Card>
  )
}

type LineRowProps = {
  line: Line
  number: number
  team: string
  /** The handlers of the pointer that drags the row. */
  handle: ComponentProps<'span'>
  /** How far it is dragged, in pixels; null if it is not. */
  by: number | null
  /** The held row would be dropped here. */
  target: boolean
  onChange: (changes: Partial<Line>) => void
  onUp: (() => void) | undefined
  onDown: (() => void) | undefined
  onRemove: (() => void) | undefined
}

function LineRow({ line, number, team, handle, by, target, onChange, onUp, onDown, onRemove }: LineRowProps) {
  const label = `${team}, player ${number}`
  const fixed = line.known !== null && line.known.user_id !== null
  return (
    <li
      style={by === null ? undefined : { transform: `translateY(${by}px)` }}
      className={cn(
        'grid grid-cols-[2rem_3.5rem_1fr_5rem] items-center gap-2 rounded-lg sm:grid-cols-[2rem_3.5rem_1fr_6rem_auto]',
        by !== null && 'relative z-10 bg-card shadow-lg',
        target && 'ring-2 ring-primary',
      )}
    >
      {/* The arrows do the same by keyboard. */}
      <span
        {...handle}
        aria-hidden
        title="Drag to another place"
        data-testid={`drag-${team}-${number}`}
        className="grid h-12 cursor-grab touch-none place-items-center text-muted-foreground select-none"
      >
        <GripVertical className="size-5" />
      </span>
      <Input
        aria-label={`${label}: number`}
        inputMode="numeric"
        maxLength={2}
        placeholder="#"
        value={line.jersey}
        onChange={({ target }) => onChange({ jersey: target.value })}
      />
      {fixed ? (
        <span className="truncate font-medium">{nameOf(line.known ?? undefined)}</span>
      ) : (
        <Input
          aria-label={`${label}: name`}
          maxLength={80}
          placeholder="Name (optional)"
          value={line.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
      )}
      <Select
        aria-label={`${label}: position`}
        value={line.position}
        onChange={({ target }) => onChange({ position: target.value })}
      >
        {FIELD.map(([position, name]) => (
          <option key={position} value={position}>
            {name}
          </option>
        ))}
      </Select>
      <span className="col-span-full flex justify-end sm:col-span-1">
        <Button variant="ghost" size="icon" aria-label={`${label}: up`} disabled={!onUp} onClick={onUp}>
          <ArrowUp aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={`${label}: down`} disabled={!onDown} onClick={onDown}>
          <ArrowDown aria-hidden />
        </Button>
        <Button variant="ghost" size="icon" aria-label={`${label}: remove`} disabled={!onRemove} onClick={onRemove}>
          <X aria-hidden />
        </Button>
      </span>
    </li>
  )
}
