import { ImagePlus } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { explain } from '@/lib/explain'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { centred, minZoom, type Crop } from '@/ui/crop'
import { CropArea } from '@/ui/crop-area'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import type { DialogControl } from '@/ui/late-dialog'
import type { PictureProps } from '@/ui/picture-dialog'
import { cropped, PictureProblem, readPicture } from '@/ui/pictures'

/** The dialog of a picture; see picture-dialog.tsx. */
export default function PictureForm({ open, onOpenChange, onCloseAutoFocus, ...props }: PictureProps & DialogControl) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>{props.title}</DialogTitle>
          <DialogDescription>{props.text}</DialogDescription>
        </div>
        <Chooser {...props} onDone={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

function Chooser({ shape, outputs, onSave, onRemove, onDone }: PictureProps & { onDone: () => void }) {
  const input = useRef<HTMLInputElement>(null)
  const inputId = useId()
  const { image, crop, setCrop, margins, problem, working, choose, run, save } = usePicture({
    shape,
    outputs,
    onSave,
    onDone,
  })
  return (
    <div className="grid gap-4">
      {image ? (
        <CropArea image={image} crop={crop} margins={margins} shape={shape} onCrop={setCrop} />
      ) : (
        <DropZone inputId={inputId} onFile={(file) => void choose(file)} />
      )}
      <input
        ref={input}
        id={inputId}
        type="file"
        accept="image/*"
        aria-label="Picture"
        className="sr-only"
        onChange={(event) => {
          void choose(event.target.files?.[0])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      {problem && (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
      <div className="flex flex-wrap justify-end gap-3">
        {onRemove && !image && (
          <Button
            variant="ghost"
            className="mr-auto text-destructive"
            disabled={working}
            onClick={() => void run(onRemove)}
          >
            Remove
          </Button>
        )}
        <DialogClose asChild>
          <Button variant="outline">Cancel</Button>
        </DialogClose>
        <Button variant={image ? 'outline' : 'default'} disabled={working} onClick={() => input.current?.click()}>
          {image ? 'Choose another' : 'Choose a picture'}
        </Button>
        {image && (
          <Button disabled={working} onClick={() => void save(image)}>
            {working ? 'Saving…' : 'Save'}
          </Button>
        )}
      </div>
    </div>
  )
}

type PictureOptions = Pick<PictureProps, 'shape' | 'outputs' | 'onSave'> & { onDone: () => void }

/** The chosen picture, its crop, and how it is saved. */
function usePicture({ shape, outputs, onSave, onDone }: PictureOptions) {
  const [image, setImage] = useState<HTMLImageElement>()
  const [crop, setCrop] = useState<Crop>(centred())
  const [problem, setProblem] = useState('')
  const [working, setWorking] = useState(false)
  // A logo is shown as a whole, a face fills its square.
  const margins = shape === 'crest'
  useEffect(() => () => URL.revokeObjectURL(image?.src ?? ''), [image])

  async function choose(file: File | undefined) {
    if (!file) return
    setProblem('')
    try {
      const image = await readPicture(file)
      setImage(image)
      setCrop(centred(minZoom({ width: image.naturalWidth, height: image.naturalHeight }, margins)))
    } catch (error) {
      setProblem(explain(error, 'This picture could not be read.'))
    }
  }

  async function run(work: () => Promise<unknown>) {
    setProblem('')
    setWorking(true)
    try {
      await work()
      onDone()
    } catch (error) {
      const said =
        error instanceof PictureProblem ? error.message : explain(error, 'That was not saved. Please try again.')
      setProblem(said)
    } finally {
      setWorking(false)
    }
  }

  const save = (image: HTMLImageElement) =>
    run(async () => onSave(await Promise.all(outputs.map((output) => cropped(image, crop, output)))))

  return { image, crop, setCrop, margins, problem, working, choose, run, save }
}

function DropZone({ inputId, onFile }: { inputId: string; onFile: (file: File | undefined) => void }) {
  return (
    <label
      htmlFor={inputId}
      className={cn(
        'grid aspect-square w-full max-w-72 cursor-pointer place-items-center content-center gap-3 justify-self-center rounded-xl',
        'border-2 border-dashed border-input text-center text-muted-foreground hover:bg-muted',
        'has-[+input:focus-visible]:outline-2',
      )}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        onFile(event.dataTransfer.files[0])
      }}
    >
      <ImagePlus aria-hidden className="size-8" />
      <span className="px-4">Choose a picture</span>
    </label>
  )
}
