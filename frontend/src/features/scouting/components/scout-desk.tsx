import { useQuery } from '@tanstack/react-query'
import { Lock, Pencil, Plus } from 'lucide-react'
import { day } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Section } from '@/ui/section'
import { PlayersLists } from '@/features/scouting/components/players-lists'
import { gradesOf, noteFields, noteTexts, schemas, toolsOf } from '@/features/scouting/model'
import { useRemoveNote, useScoutingForms } from '@/data/scouting/mutations'
import { notesQuery, type Note } from '@/data/scouting/queries'

type Player = { id: string; name: string; positions: readonly string[] }

/** A scout's private data about a player: notes with grades, and the lists that contain the player. */
export function ScoutDesk({ player }: { player: Player }) {
  const { user } = useSession()
  return (
    <div className="grid items-start gap-6 lg:grid-cols-[3fr_2fr] print:hidden">
      <Notes player={player} />
      {user && <PlayersLists player={player} userId={user.id} />}
    </div>
  )
}

function Notes({ player }: { player: Player }) {
  const query = useQuery(notesQuery(player.id))
  const { addNote } = useScoutingForms()
  const tools = toolsOf(player.positions)
  return (
    <Section
      title="Your notes"
      text={`Private: ${player.name}, coaches, other scouts and admins never see them.`}
      query={query}
      problem="Your notes could not be loaded."
      actions={
        <RecordDialog
          trigger={
            <Button variant="outline">
              <Plus aria-hidden />
              Add note
            </Button>
          }
          title={`Add a note on ${player.name}`}
          text="Only you see it. Grades go from 20 to 80; 50 is the average of the major leagues."
          fields={noteFields(tools)}
          schema={async () => (await schemas()).noteSchema(tools)}
          defaults={noteTexts(tools, null)}
          draft={`note:${player.id}`}
          location="Player Profile"
          onSave={(values) => addNote(player.id, values)}
        />
      }
    >
      {(notes) =>
        notes.length === 0 ? (
          <Empty>No note yet.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {notes.map((note) => (
              <NoteItem key={note.id} note={note} tools={tools} />
            ))}
          </ul>
        )
      }
    </Section>
  )
}

function NoteItem({ note, tools }: { note: Note; tools: readonly string[] }) {
  const { saveNote } = useScoutingForms()
  const remove = useRemoveNote()
  const grades = gradesOf(note.grades)
  // What was graded once stays in the form, whatever the player plays now.
  const graded = [...new Set([...tools, ...grades.map(({ tool }) => tool)])]
  const name = `the note of ${day(note.created_at)}`
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-center justify-between gap-3">
        <span className="flex items-center gap-1.5 text-sm text-muted-foreground">
          <Lock aria-hidden className="size-3.5" />
          {day(note.created_at)}
        </span>
        <span className="flex">
          <RecordDialog
            trigger={
              <Button variant="ghost" size="icon" aria-label={`Edit ${name}`}>
                <Pencil aria-hidden />
              </Button>
            }
            title="Edit the note"
            text="Only you see it. Grades go from 20 to 80; 50 is the average of the major leagues."
            fields={noteFields(graded)}
            schema={async () => (await schemas()).noteSchema(graded)}
            defaults={noteTexts(graded, note)}
            draft={`note:${note.id}`}
            location="Player Profile"
            onSave={(values) => saveNote(note.id, values)}
          />
          <RemovalDialog
            name={name}
            text="It is gone for good."
            pending={remove.isPending}
            onRemove={() => remove.mutateAsync(note.id)}
          />
        </span>
      </div>
      {grades.length > 0 && (
        <dl className="flex flex-wrap gap-2">
          {grades.map(({ tool, label, grade }) => (
            <div key={tool} className="flex gap-2 rounded-lg bg-muted px-2.5 py-1 text-sm">
              <dt>{label}</dt>
              <dd className="font-semibold tabular-nums">{grade}</dd>
            </div>
          ))}
        </dl>
      )}
      {note.body && <p className="max-w-2xl leading-relaxed wrap-anywhere whitespace-pre-line">{note.body}</p>}
    </li>
  )
}
