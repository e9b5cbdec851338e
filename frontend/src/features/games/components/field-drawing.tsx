import type { ReactNode } from 'react'

/** The field in feet: the plate is the origin, center field is up. Foul territory on both sides is cut off. */
export const FIELD_BOX = { x: -290, y: -420, width: 580, height: 460 }

/** Grass, infield and foul lines, with marks on top. `y` of marks is negative towards center, as in all drawings. */
export function FieldDrawing({ children }: { children?: ReactNode }) {
  return (
    <>
      <path d="M0 0 L-283 -283 A400 400 0 0 1 283 -283 Z" className="fill-[#2f6b45]" />
      <path d="M0 0 L-108 -108 A153 153 0 0 1 108 -108 Z" className="fill-[#b98a5e]" />
      <path d="M0 -8 L-60 -64 L0 -120 L60 -64 Z" className="fill-[#2f6b45]" />
      <path d="M-283 -283 L0 0 L283 -283" className="fill-none stroke-white" strokeWidth="3" />
      {[
        [64, -64],
        [0, -127],
        [-64, -64],
        [0, 0],
      ].map(([x = 0, y = 0]) => (
        <rect
          key={`${x} ${y}`}
          x={x - 6}
          y={y - 6}
          width="12"
          height="12"
          transform={`rotate(45 ${x} ${y})`}
          className="fill-white"
        />
      ))}
      <circle cx="0" cy="-60" r="9" className="fill-[#b98a5e]" />
      {children}
    </>
  )
}
