import { useState, type PointerEvent } from 'react'
import type { End, Origin } from '@/features/games/scoring/kinds'

type Runner = { from: Origin; name: string; end: End }
type RunnerDiamondProps = { runners: readonly Runner[]; onEnd: (from: Origin, end: End) => void }

const TARGETS: readonly (readonly [end: End, x: number, y: number, label: string])[] = [
  [1, 240, 110, '1st'],
  [2, 150, 40, '2nd'],
  [3, 60, 110, '3rd'],
  [4, 150, 180, 'Home'],
  ['out', 275, 180, 'Out'],
]
/** Where several runners are out or home, they stand beside each other. */
const STEP = 26

/** The bases with the runners where they end. Drag one to another base, home or out; the buttons below do the same. */
export function RunnerDiamond({ runners, onEnd }: RunnerDiamondProps) {
  const [held, setHeld] = useState<{ from: Origin; x: number; y: number } | null>(null)
  const move = (from: Origin, { currentTarget, clientX, clientY }: PointerEvent<SVGGElement>) => {
    const matrix = currentTarget.ownerSVGElement?.getScreenCTM()
    if (!matrix) return
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse())
    setHeld({ from, x, y })
  }
  const drop = () => {
    if (!held) return
    const near = TARGETS.filter(([end]) => end === 'out' || end >= Math.max(held.from, 1)).map(
      ([end, x, y]) => [end, Math.hypot(x - held.x, y - held.y)] as const,
    )
    const [best] = near.sort(([, one], [, other]) => one - other)
    if (best) onEnd(held.from, best[0])
    setHeld(null)
  }
  return (
    <svg viewBox="0 0 300 210" className="w-full touch-none rounded-xl bg-night select-none" aria-hidden>
      <path d="M150 180 L240 110 L150 40 L60 110 Z" className="fill-none stroke-night-muted" strokeWidth="2" />
      {TARGETS.map(([end, x, y, label]) => (
        <g key={end}>
          <rect
            x={x - 10}
            y={y - 10}
            width="20"
            height="20"
            transform={end === 'out' ? undefined : `rotate(45 ${x} ${y})`}
            className="fill-transparent stroke-night-muted"
            strokeWidth="2"
          />
          <text x={x} y={y + 27} textAnchor="middle" className="fill-night-muted text-[11px]">
            {label}
          </text>
        </g>
      ))}
      {runners.map(({ from, name, end }, index) => {
        const [, targetX = 0, targetY = 0] = TARGETS.find(([target]) => target === end) ?? []
        const same = runners.slice(0, index).filter((other) => other.end === end).length
        const holding = held?.from === from
        const [x, y] = holding ? [held.x, held.y] : [targetX, targetY - same * STEP]
        return (
          <g
            key={from}
            data-testid={`runner-${from}`}
            className="cursor-grab"
            onPointerDown={(event) => {
              event.currentTarget.setPointerCapture(event.pointerId)
              move(from, event)
            }}
            onPointerMove={(event) => holding && move(from, event)}
            onPointerUp={drop}
            onPointerCancel={() => setHeld(null)}
          >
            <circle cx={x} cy={y} r="22" className="fill-transparent" />
            <circle cx={x} cy={y} r="12" className="fill-clay" />
            <text x={x} y={y - 16} textAnchor="middle" className="fill-night-foreground text-[12px] font-semibold">
              {name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
