import { useQueryClient } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { uploadVideo } from '@/data/media/video-uploads'
import { VideoProblem } from '@/lib/movies/tape'
import { Button } from '@/ui/button'
import { Dialog, DialogClose, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import type { DialogControl } from '@/ui/late-dialog'
import { today } from '@/features/players/model'

/** Chooses a video; the dialog closes when the upload begins, and the section of the videos shows how it goes on. */
export default function UploadVideoForm(props: DialogControl & { playerId: string }) {
  const { open, onOpenChange, onCloseAutoFocus, playerId } = props
  return (
    <Dialog open={open} onOpenChange={onOpenChange}>
      <DialogContent onCloseAutoFocus={onCloseAutoFocus}>
        <div className="grid gap-2">
          <DialogTitle>Upload a video</DialogTitle>
          <DialogDescription>
            MP4, MOV or WebM, up to 200 MB. Those who see the profile can watch it. The place where it was taken is
            removed.
          </DialogDescription>
        </div>
        <Chooser playerId={playerId} onBegun={() => onOpenChange(false)} />
      </DialogContent>
    </Dialog>
  )
}

type Problems = { file?: string; title?: string; recorded_on?: string }

function Chooser({ playerId, onBegun }: { playerId: string; onBegun: () => void }) {
  const client = useQueryClient()
  const [file, setFile] = useState<File>()
  const [title, setTitle] = useState('')
  const [date, setDate] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [working, setWorking] = useState(false)

  async function submit(event: SubmitEvent) {
    event.preventDefault()
    const found = problemsOf(file, title, date)
    setProblems(found)
    if (!file || Object.keys(found).length > 0) return
    setWorking(true)
    try {
      await uploadVideo(client, playerId, file, { title: title.trim(), recorded_on: date || null })
      onBegun()
    } catch (error) {
      setProblems({ file: error instanceof VideoProblem ? error.message : 'This file cannot be read. Choose another.' })
    } finally {
      setWorking(false)
    }
  }

  return (
    <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <Field id="video-file" label="Video" error={problems.file}>
        <Input
          type="file"
          accept="video/mp4,video/quicktime,video/webm,.mp4,.mov,.webm"
          className="py-2"
          {...described('video-file', problems.file)}
          onChange={(event) => {
            setFile(event.target.files?.[0])
            setProblems({ ...problems, file: undefined })
          }}
        />
      </Field>
      <Field id="video-title" label="Title" error={problems.title}>
        <Input
          maxLength={120}
          value={title}
          {...described('video-title', problems.title)}
          onChange={(event) => {
            setTitle(event.target.value)
            setProblems({ ...problems, title: undefined })
          }}
        />
      </Field>
      <Field id="video-date" label="Recorded" hint="optional" error={problems.recorded_on}>
        <Input
          type="date"
          value={date}
          {...described('video-date', problems.recorded_on)}
          onChange={(event) => {
            setDate(event.target.value)
            setProblems({ ...problems, recorded_on: undefined })
          }}
        />
      </Field>
      <Buttons working={working} />
    </form>
  )
}

/** What is wrong with what was entered. */
function problemsOf(file: File | undefined, title: string, date: string): Problems {
  const found: Problems = {}
  if (!file) found.file = 'Please choose a video.'
  if (!title.trim()) found.title = 'Please give it a title.'
  if (date && date > today()) found.recorded_on = 'That day is still to come.'
  return found
}

function Buttons({ working }: { working: boolean }) {
  return (
    <div className="flex flex-wrap justify-end gap-3">
      <DialogClose asChild>
        <Button variant="outline">Cancel</Button>
      </DialogClose>
      <Button type="submit" disabled={working}>
        {working ? 'Reading the video…' : 'Upload'}
      </Button>
    </div>
  )
}
