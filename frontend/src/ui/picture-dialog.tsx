import type { ReactNode } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { LateDialog } from '@/ui/late-dialog'
import type { Output } from '@/ui/pictures'

export type PictureProps = {
  title: string
  text: string
  /** The shape that is shown in the end. */
  shape: 'face' | 'crest'
  /** What is made of the cropped square, in the order of `onSave`. */
  outputs: readonly Output[]
  onSave: (pictures: Blob[]) => Promise<unknown>
  /** Removes the current picture; absent without a picture. */
  onRemove?: () => Promise<unknown>
}

type PictureDialogProps = PictureProps & {
  /** The button that opens it. */
  trigger: ReactNode
}

const load = () => import('@/ui/picture-form')
const PictureForm = lazyScreen(load)

/** Chooses a picture from the device and crops it. */
export function PictureDialog({ trigger, ...picture }: PictureDialogProps) {
  return (
    <LateDialog trigger={trigger} load={load}>
      {(control) => <PictureForm {...picture} {...control} />}
    </LateDialog>
  )
}
