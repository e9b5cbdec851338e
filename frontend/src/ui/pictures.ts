import { square, type Crop } from '@/ui/crop'

/** Maximum size of a file to crop, in bytes: larger ones exhaust a phone's memory. */
export const PICTURE_LIMIT = 30 * 1024 * 1024
/** Maximum number of pixels of a picture to crop: 100 megapixels. */
export const PIXEL_LIMIT = 100_000_000

/** Why a picture cannot be used, in words for the user. */
export class PictureProblem extends Error {}

/** Reads a picture. Its URL has to be revoked when it is no longer shown. */
export async function readPicture(file: File): Promise<HTMLImageElement> {
  if (file.size > PICTURE_LIMIT) throw new PictureProblem('This picture is larger than 30 MB. Choose a smaller one.')
  const image = new Image()
  image.src = URL.createObjectURL(file)
  try {
    await image.decode()
  } catch {
    URL.revokeObjectURL(image.src)
    throw new PictureProblem('This file cannot be read as a picture. Choose a JPEG, PNG or WebP.')
  }
  if (image.naturalWidth * image.naturalHeight > PIXEL_LIMIT) {
    URL.revokeObjectURL(image.src)
    throw new PictureProblem('This picture has more than 100 megapixels. Choose a smaller one.')
  }
  return image
}

/** What a picture becomes: a square of this many pixels. */
export type Output = { side: number; type: 'image/jpeg' | 'image/png' }

/** Draws the cropped square anew, which leaves place, camera and everything else that is no pixel behind. */
export async function cropped(image: HTMLImageElement, crop: Crop, { side, type }: Output): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new PictureProblem('This browser cannot draw pictures.')
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, side, side)
  }
  context.imageSmoothingQuality = 'high'
  const from = square({ width: image.naturalWidth, height: image.naturalHeight }, crop)
  const scale = side / from.side
  context.drawImage(
    image,
    -from.left * scale,
    -from.top * scale,
    image.naturalWidth * scale,
    image.naturalHeight * scale,
  )
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.86))
  if (!blob) throw new PictureProblem('This browser cannot save pictures.')
  return blob
}

/** A picture of the whole, drawn anew with at most this many pixels on the longer side: what is no pixel is left behind. */
export async function shrunk(
  image: HTMLImageElement,
  most: number,
): Promise<{ blob: Blob; width: number; height: number }> {
  const scale = Math.min(1, most / Math.max(image.naturalWidth, image.naturalHeight))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale))
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale))
  const context = canvas.getContext('2d')
  if (!context) throw new PictureProblem('This browser cannot draw pictures.')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/jpeg', 0.86))
  if (!blob) throw new PictureProblem('This browser cannot save pictures.')
  return { blob, width: canvas.width, height: canvas.height }
}
