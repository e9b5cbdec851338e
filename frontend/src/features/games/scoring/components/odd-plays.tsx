import { ChevronLeft } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { ODD_PLAYS, type OddChoice, type OddPlay } from '@/features/games/scoring/odd-plays'
import type { Standing } from '@/features/games/scoring/standing'
import { Button } from '@/ui/button'

type OddPlaysProps = {
  now: Standing
  /** Absent where the lineup cannot change: in an edit of the past. */
  onSub?: (sub: Sub) => void
  /** Says that another place of the order bats. */
  onOrder?: (order: number) => void
  onChoose: (choice: Extract<OddChoice, { kind: string }>) => void
  name: (id: string) => string
  onBack: () => void
}

export type Sub = Extract<OddChoice, { sub: string }>['sub']

/** The plays that are not on the main page, each with a sentence. What cannot happen now is left out. */
export function OddPlays({ now, onSub, onOrder, onChoose, name, onBack }: OddPlaysProps) {
  const [ordering, setOrdering] = useState(false)
  if (ordering && onOrder) return <Order now={now} name={name} onOrder={onOrder} onBack={() => setOrdering(false)} />
  const possible = ({ choice, when }: OddPlay) =>
    (when?.(now) ?? true) && (!('sub' in choice) || onSub) && (!('panel' in choice) || onOrder)
  const choose = (choice: OddChoice) => {
    if ('sub' in choice) onSub?.(choice.sub)
    else if ('panel' in choice) setOrdering(true)
    else onChoose(choice)
  }
  return (
    <div className="grid gap-5">
      <Title text="Odd plays" />
      {ODD_PLAYS.map(([group, plays]) => {
        const shown = plays.filter(possible)
        return shown.length > 0 && <Group key={group} title={group} plays={shown} onChoose={choose} />
      })}
      <Back onBack={onBack} />
    </div>
  )
}

/** Takes the focus, and brings the beginning of the list into view. */
function Title({ text }: { text: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <h2 ref={title} tabIndex={-1} className="scroll-mt-24 text-xl font-semibold outline-none">
      {text}
    </h2>
  )
}

type GroupProps = { title: string; plays: readonly OddPlay[]; onChoose: (choice: OddChoice) => void }

function Group({ title, plays, onChoose }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="grid gap-2">
      <h3 id={id} className="font-semibold">
        {title}
      </h3>
      <ul className="grid gap-2">
        {plays.map(({ name, text, choice }, index) => (
          <li key={name}>
            <Button
              variant="outline"
              className="grid h-auto min-h-14 w-full justify-start justify-items-start gap-0.5 px-4 py-2.5 text-left whitespace-normal"
              aria-label={name}
              aria-describedby={`${id}-${index}`}
              onClick={() => onChoose(choice)}
            >
              <span className="text-base">{name}</span>
              <span id={`${id}-${index}`} className="text-sm font-normal text-muted-foreground">
                {text}
              </span>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

type OrderProps = { now: Standing; name: (id: string) => string; onOrder: (order: number) => void; onBack: () => void }

/** Who bats instead of the player who is due. */
function Order({ now, name, onOrder, onBack }: OrderProps) {
  const slots = [...now.slots[now.batting]].filter(([order]) => order > 0).sort(([one], [other]) => one - other)
  return (
    <div className="grid gap-4">
      <Title text="Who is at bat?" />
      <ol className="grid gap-2">
        {slots.map(([order, { athlete }]) => (
          <li key={order}>
            <Button
              variant="outline"
              className="h-14 w-full justify-start px-4 text-base"
              disabled={athlete === now.batter}
              onClick={() => onOrder(order)}
            >
              {order}. {name(athlete)}
              {athlete === now.batter && ' (due)'}
            </Button>
          </li>
        ))}
      </ol>
      <Back onBack={onBack} />
    </div>
  )
}

function Back({ onBack }: { onBack: () => void }) {
  return (
    <Button variant="outline" size="lg" onClick={onBack}>
      <ChevronLeft aria-hidden />
      Back
    </Button>
  )
}
