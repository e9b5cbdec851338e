import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck, Copy, Printer, Save, Trash2 } from 'lucide-react'
import { useId, useState } from 'react'
import { letterFactsQuery, lettersQuery, useRemoveLetter, useSaveLetter } from '@/data/college/letters'
import type { Board, Letter, LetterFacts, Program, Target } from '@/data/college/model'
import { useCollegeForms } from '@/data/college/mutations'
import { explain } from '@/lib/explain'
import { Button } from '@/ui/button'
import { Dialog, DialogContent, DialogDescription, DialogTitle } from '@/ui/dialog'
import { Input } from '@/ui/input'
import type { DialogControl } from '@/ui/late-dialog'
import { Loading, Problem, RowsSkeleton } from '@/ui/section'
import { Select } from '@/ui/select'
import { Textarea } from '@/ui/textarea'
import { toast } from '@/ui/toast/toast-state'
import { fillIn, MERGE_FIELDS, mergeValues, plainText, STARTERS, type Piece } from '@/features/college/letter'
import { today } from '@/features/college/model'

type LetterProps = { board: Board; target: Target; program: Program }

/** Writes a letter to a program from a template. The user copies or prints it; the app does not send it. */
export default function LetterDialog({ board, target, program, ...control }: LetterProps & DialogControl) {
  const letters = useQuery(lettersQuery(board.playerId))
  const facts = useQuery(letterFactsQuery(board.playerId))
  const failed = [letters, facts].find(({ isError }) => isError)
  return (
    <Dialog open={control.open} onOpenChange={control.onOpenChange}>
      <DialogContent className="max-w-4xl" onCloseAutoFocus={control.onCloseAutoFocus}>
        <div>
          <DialogTitle>Letter to {program.name}</DialogTitle>
          <DialogDescription>Copy or print it. Dugout does not send it.</DialogDescription>
        </div>
        {failed && (
          <Problem
            text="Your letters could not be loaded."
            error={failed.error}
            onRetry={() => {
              void letters.refetch()
              void facts.refetch()
            }}
          />
        )}
        {letters.data && facts.data ? (
          <Writer
            board={board}
            target={target}
            program={program}
            letters={letters.data}
            facts={facts.data}
            onSent={() => control.onOpenChange(false)}
          />
        ) : (
          !failed && (
            <Loading>
              <RowsSkeleton rows={8} />
            </Loading>
          )
        )}
      </DialogContent>
    </Dialog>
  )
}

type WriterProps = LetterProps & { letters: Letter[]; facts: LetterFacts; onSent: () => void }

function Writer({ board, target, program, letters, facts, onSent }: WriterProps) {
  const first = letters[0] ?? STARTERS[0]
  const [title, setTitle] = useState(first?.title ?? '')
  const [body, setBody] = useState(first?.body ?? '')
  const id = useId()
  const pieces = fillIn(body, mergeValues(board, target, program, facts, location.origin))
  const missing = [...new Set(pieces.filter((piece) => piece.missing).map(({ text }) => text))]
  const own = letters.find((letter) => letter.title === title.trim())
  return (
    <div className="grid gap-4 md:grid-cols-2">
      <div className="grid content-start gap-3">
        <label className="grid gap-1 text-sm font-medium">
          Begin with
          <Select
            value=""
            onChange={({ target }) => {
              const chosen = [...letters, ...STARTERS][Number(target.value)]
              if (!chosen) return
              setTitle(chosen.title)
              setBody(chosen.body)
            }}
          >
            <option value="">Choose a letter</option>
            {[...letters, ...STARTERS].map((letter, index) => (
              <option key={`${index} ${letter.title}`} value={index}>
                {letter.title}
                {index >= letters.length && ' (example)'}
              </option>
            ))}
          </Select>
        </label>
        <label className="grid gap-1 text-sm font-medium">
          Title
          <Input value={title} maxLength={120} onChange={({ target }) => setTitle(target.value)} />
        </label>
        <label className="grid gap-1 text-sm font-medium">
          Text
          <Textarea
            className="min-h-64 text-sm"
            aria-describedby={id}
            value={body}
            maxLength={4000}
            onChange={({ target }) => setBody(target.value)}
          />
        </label>
        <p id={id} className="text-xs text-muted-foreground">
          Fields:{' '}
          {Object.entries(MERGE_FIELDS).map(([name, what], index) => (
            <span key={name}>
              {index > 0 && ', '}
              <code title={what}>{`{${name}}`}</code>
            </span>
          ))}
        </p>
        <Keep playerId={board.playerId} title={title.trim()} body={body} own={own} />
      </div>
      <Preview board={board} target={target} pieces={pieces} missing={missing} onSent={onSent} />
    </div>
  )
}

type KeepProps = { playerId: string; title: string; body: string; own: Letter | undefined }

function Keep({ playerId, title, body, own }: KeepProps) {
  const save = useSaveLetter(playerId)
  const remove = useRemoveLetter()
  const [busy, setBusy] = useState(false)
  async function run(work: () => Promise<void>, done: string) {
    setBusy(true)
    try {
      await work()
      toast({ variant: 'success', title: done })
    } catch (error) {
      toast({ variant: 'error', title: 'That was not saved', description: explain(error, 'Please try again.') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="outline"
        disabled={busy || title === '' || body.trim() === '' || own?.body === body}
        onClick={() => void run(() => save({ title, body }), 'Letter kept')}
      >
        <Save aria-hidden />
        Keep as template
      </Button>
      {own && (
        <Button variant="ghost" disabled={busy} onClick={() => void run(() => remove(own.id), 'Template removed')}>
          <Trash2 aria-hidden />
          Remove template
        </Button>
      )}
    </div>
  )
}

type PreviewProps = {
  board: Board
  target: Target
  pieces: readonly Piece[]
  missing: readonly string[]
  onSent: () => void
}

/** The filled-in letter, with buttons to copy, print and log it. */
function Preview({ board, target, pieces, missing, onSent }: PreviewProps) {
  const { addContact } = useCollegeForms(board.playerId)
  const text = plainText(pieces)
  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      toast({ variant: 'success', title: 'Letter copied' })
    } catch {
      toast({ variant: 'error', title: 'The letter was not copied', description: 'Select the text and copy it.' })
    }
  }
  async function log() {
    try {
      const body = text.slice(0, 2000)
      await addContact(target.id, { kind: 'letter', received: false, happened_on: today(), person: null, body })
      toast({ variant: 'success', title: 'Logged as a contact' })
      onSent()
    } catch (error) {
      toast({ variant: 'error', title: 'That was not saved', description: explain(error, 'Please try again.') })
    }
  }
  return (
    <section aria-label="Preview" className="grid content-start gap-3">
      <p className="min-h-72 rounded-xl border border-border p-4 text-sm wrap-anywhere whitespace-pre-wrap">
        {pieces.map((piece, index) =>
          piece.missing ? (
            <mark key={index} className="rounded bg-accent-soft px-1 text-foreground">
              {piece.text}
            </mark>
          ) : (
            piece.text
          ),
        )}
      </p>
      {missing.length > 0 && (
        <p role="status" className="text-sm">
          Not known: {missing.join(', ')}. Fill it in, or remove it.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void copy()}>
          <Copy aria-hidden />
          Copy
        </Button>
        <Button variant="outline" onClick={() => printText(text)}>
          <Printer aria-hidden />
          Print
        </Button>
        <Button variant="outline" onClick={() => void log()}>
          <ClipboardCheck aria-hidden />I sent it
        </Button>
      </div>
    </section>
  )
}

/** Prints a text without the rest of the page, through a hidden frame. */
function printText(text: string) {
  const frame = document.createElement('iframe')
  frame.hidden = true
  document.body.append(frame)
  const page = frame.contentDocument
  const sheet = page?.createElement('pre')
  if (!page || !sheet) return
  sheet.textContent = text
  sheet.style.cssText = 'white-space: pre-wrap; font: 12pt/1.5 serif; margin: 2cm'
  page.body.append(sheet)
  frame.contentWindow?.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow?.print()
}
