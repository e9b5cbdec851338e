import { useId, useRef, type KeyboardEvent, type PointerEvent } from 'react'
import { cn } from '@/ui/class-names'
import { MAX_ZOOM, minZoom, moved, square, within, type Crop } from '@/ui/crop'

type CropAreaProps = {
  image: HTMLImageElement
  crop: Crop
  /** Whether the picture may be smaller than the square. */
  margins: boolean
  shape: 'face' | 'crest'
  onCrop: (crop: Crop) => void
}

/** Share of the square by which an arrow key moves the picture. */
const STEP = 0.05
const ZOOM_STEP = 1.1
const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [STEP, 0],
  ArrowRight: [-STEP, 0],
  ArrowUp: [0, STEP],
  ArrowDown: [0, -STEP],
}

/** The square to keep: the picture is moved behind it by pointer or arrow keys, and enlarged by slider, wheel or + and −. */
export function CropArea({ image, crop, margins, shape, onCrop }: CropAreaProps) {
  const size = { width: image.naturalWidth, height: image.naturalHeight }
  const helpId = useId()
  const last = useRef<{ x: number; y: number }>(undefined)
  const { left, top, side } = square(size, crop)
  const zoom = (factor: number) => onCrop(within(size, { ...crop, zoom: crop.zoom * factor }, margins))

  function press(event: KeyboardEvent) {
    const arrow = ARROWS[event.key]
    if (arrow) onCrop(moved(size, crop, ...arrow, margins))
    else if (event.key === '+' || event.key === '=') zoom(ZOOM_STEP)
    else if (event.key === '-') zoom(1 / ZOOM_STEP)
    else return
    event.preventDefault()
  }

  function drag(event: PointerEvent<HTMLElement>) {
    if (!last.current) return
    const { width } = event.currentTarget.getBoundingClientRect()
    const [right, down] = [event.clientX - last.current.x, event.clientY - last.current.y]
    last.current = { x: event.clientX, y: event.clientY }
    onCrop(moved(size, crop, right / width, down / width, margins))
  }

  return (
    <div className="grid justify-items-center gap-3">
      <div
        role="application"
        aria-label="Crop"
        aria-describedby={helpId}
        tabIndex={0}
        className="relative aspect-square w-full max-w-72 cursor-grab touch-none overflow-hidden rounded-xl bg-muted select-none active:cursor-grabbing"
        onKeyDown={press}
        onWheel={(event) => zoom(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP)}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          last.current = { x: event.clientX, y: event.clientY }
        }}
        onPointerMove={drag}
        onPointerUp={() => (last.current = undefined)}
        onPointerCancel={() => (last.current = undefined)}
      >
        <img
          src={image.src}
          alt=""
          draggable={false}
          className="absolute max-w-none"
          style={{
            width: `${(size.width / side) * 100}%`,
            left: `${(-left / side) * 100}%`,
            top: `${(-top / side) * 100}%`,
          }}
        />
        <Frame shape={shape} />
      </div>
      <p id={helpId} className="text-sm text-muted-foreground">
        Drag the picture, or move it with the arrow keys.
      </p>
      <ZoomSlider
        value={crop.zoom}
        least={minZoom(size, margins)}
        onChange={(zoom) => onCrop(within(size, { ...crop, zoom }, margins))}
      />
    </div>
  )
}

/** Darkens what is cut away. */
function Frame({ shape }: Pick<CropAreaProps, 'shape'>) {
  return (
    <span
      aria-hidden
      className={cn(
        'pointer-events-none absolute inset-0 shadow-[0_0_0_999px_rgb(0_0_0/0.45)] ring-2 ring-white',
        shape === 'face' ? 'rounded-full' : 'inset-[14.6%] rotate-45',
      )}
    />
  )
}

type ZoomSliderProps = { value: number; least: number; onChange: (zoom: number) => void }

function ZoomSlider({ value, least, onChange }: ZoomSliderProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="flex w-full max-w-72 items-center gap-3 text-sm">
      Zoom
      <input
        id={id}
        type="range"
        min={least}
        max={MAX_ZOOM}
        step="any"
        value={value}
        className="h-6 grow accent-primary"
        onChange={(event) => onChange(Number(event.target.value))}
      />
    </label>
  )
}
