/** A picture's size in pixels. */
export type Size = { width: number; height: number }

/** Which square of a picture is kept: its centre as a share of width and height, and how much it is enlarged. */
export type Crop = { x: number; y: number; zoom: number }

/** At this zoom the square is a quarter of the shorter side. */
export const MAX_ZOOM = 4

/** Below 1 the whole picture is in the square, with margins, where `margins` allows that. */
export const minZoom = ({ width, height }: Size, margins: boolean): number =>
  margins ? Math.min(width, height) / Math.max(width, height) : 1

/** The middle of the picture. */
export const centred = (zoom = 1): Crop => ({ x: 0.5, y: 0.5, zoom })

/** The square in pixels of the picture. */
export function square(size: Size, { x, y, zoom }: Crop): { left: number; top: number; side: number } {
  const side = Math.min(size.width, size.height) / zoom
  return { left: x * size.width - side / 2, top: y * size.height - side / 2, side }
}

/** The nearest crop that lies within the picture; along a side that is shorter than the square it is centred. */
export function within(size: Size, crop: Crop, margins: boolean): Crop {
  const zoom = Math.min(Math.max(crop.zoom, minZoom(size, margins)), MAX_ZOOM)
  const { side } = square(size, { ...crop, zoom })
  return { x: clamped(crop.x, side / size.width), y: clamped(crop.y, side / size.height), zoom }
}

/** The crop after the picture was dragged by a share of the square's side. */
export function moved(size: Size, crop: Crop, right: number, down: number, margins: boolean): Crop {
  const { side } = square(size, crop)
  const x = crop.x - (right * side) / size.width
  const y = crop.y - (down * side) / size.height
  return within(size, { ...crop, x, y }, margins)
}

const clamped = (centre: number, share: number) =>
  share >= 1 ? 0.5 : Math.min(Math.max(centre, share / 2), 1 - share / 2)
