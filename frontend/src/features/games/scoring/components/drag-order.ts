import { useRef, useState, type PointerEvent } from 'react'

/** A row that is held: which one, where it would be dropped, and how far it was moved, in pixels. */
type Held = { from: number; to: number; by: number }

/** The place of a row whose middle is dragged to `y`, among rows with these middles. */
export function placeAt(middles: readonly number[], from: number, y: number): number {
  return middles.filter((middle, index) => index !== from && middle < y).length
}

/** The list with one of its members moved to another place. */
export function moved<Item>(items: readonly Item[], from: number, to: number): Item[] {
  const all = [...items]
  all.splice(to, 0, ...all.splice(from, 1))
  return all
}

/**
 * Reorders the rows of a list by dragging a handle with mouse, finger or pen. The rows move when the handle is dropped, because
 * an element that is moved in the page loses its pointer.
 */
export function useDragOrder(onMove: (from: number, to: number) => void) {
  const list = useRef<HTMLOListElement>(null)
  const grabbed = useRef<{ y: number; middles: number[] } | null>(null)
  const [held, setHeld] = useState<Held | null>(null)
  const begin = (from: number, event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    const rows = [...(list.current?.children ?? [])].map((row) => row.getBoundingClientRect())
    grabbed.current = { y: event.clientY, middles: rows.map(({ top, height }) => top + height / 2) }
    setHeld({ from, to: from, by: 0 })
  }
  const move = ({ clientY }: PointerEvent<HTMLElement>) => {
    if (!held || !grabbed.current) return
    const { y, middles } = grabbed.current
    const by = clientY - y
    setHeld({ ...held, by, to: placeAt(middles, held.from, (middles[held.from] ?? 0) + by) })
  }
  const drop = () => {
    if (held && held.to !== held.from) onMove(held.from, held.to)
    setHeld(null)
  }
  return {
    list,
    held,
    handle: (index: number) => ({
      onPointerDown: (event: PointerEvent<HTMLElement>) => begin(index, event),
      onPointerMove: move,
      onPointerUp: drop,
      onPointerCancel: () => setHeld(null),
    }),
  }
}
