import type { MouseEvent } from 'react'
import { FIELD_BOX, FieldDrawing } from '@/features/games/components/field-drawing'
import { nearestFielder, spotOf, zoneOf, ZONES } from '@/features/games/field'
import { Field } from '@/ui/field'
import { Select } from '@/ui/select'

type FieldMapProps = {
  /** Retrosheet's zone; empty if unknown. */
  zone: string
  onChange: (zone: string, fielder: number | null) => void
}

/** A field to tap where the ball came down. The list beside it does the same by keyboard. */
export function FieldMap({ zone, onChange }: FieldMapProps) {
  const spot = zone === '' ? null : spotOf(zone)
  const tap = ({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>) => {
    const matrix = currentTarget.getScreenCTM()
    if (!matrix) return
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse())
    const tapped = { x, y: -y }
    onChange(zoneOf(tapped), nearestFielder(tapped))
  }
  return (
    <div className="grid gap-2">
      <p className="text-sm">Tap where the ball came down</p>
      <svg
        viewBox={`${FIELD_BOX.x} ${FIELD_BOX.y} ${FIELD_BOX.width} ${FIELD_BOX.height}`}
        className="max-h-72 w-full cursor-crosshair touch-manipulation rounded-xl bg-night"
        data-testid="field"
        aria-hidden
        onClick={tap}
      >
        <FieldDrawing>
          {spot && <circle cx={spot.x} cy={-spot.y} r="13" className="fill-clay stroke-white" strokeWidth="4" />}
        </FieldDrawing>
      </svg>
      <Field id="ball-zone" label="Zone (optional)">
        <Select id="ball-zone" value={zone} onChange={({ target }) => onChange(target.value, null)}>
          <option value="">Not recorded</option>
          {ZONES.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </Select>
      </Field>
    </div>
  )
}
