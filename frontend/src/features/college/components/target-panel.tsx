import { useQuery } from '@tanstack/react-query'
import { GraduationCap, MessageSquarePlus, Pencil } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Board, Contact, Level, Program, Target } from '@/data/college/model'
import {
  useCollegeForms,
  useCommit,
  useRemoveContact,
  useRemoveTarget,
  type CommitValues,
  type TargetValues,
} from '@/data/college/mutations'
import { membershipsQuery } from '@/data/teams/queries'
import { day } from '@/lib/format'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Card, Empty } from '@/ui/section'
import { LetterButton } from '@/features/college/components/letter-button'
import {
  commitFields,
  CONTACT_FIELDS,
  CONTACT_KINDS,
  programFacts,
  reasons,
  schemas,
  TARGET_FIELDS,
  today,
  VISITS,
} from '@/features/college/model'

type PanelProps = { board: Board; target: Target; program: Program; levels: readonly Level[]; onRemoved: () => void }

/** One program of the board: the fit with its reasons, plans, and the log of contacts. */
export function TargetPanel({ board, target, program, levels, onRemoved }: PanelProps) {
  const remove = useRemoveTarget()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => ref.current?.focus(), [target.id])
  return (
    <div ref={ref} tabIndex={-1} className="scroll-mt-20 rounded-2xl outline-none">
      <Card
        title={program.name}
        text={[program.institution, programFacts(program)].filter(Boolean).join(' · ')}
        aside={
          board.writes && (
            <div className="flex items-center gap-1">
              <EditPlan board={board} target={target} program={program} />
              {target.status === 'offer' && <Commit board={board} program={program} />}
              <RemovalDialog
                name={program.name}
                text="Its plan and its contacts are deleted, too."
                pending={remove.isPending}
                onRemove={async () => {
                  await remove.mutateAsync(target.id)
                  onRemoved()
                }}
              />
            </div>
          )
        }
      >
        <div className="grid gap-6 lg:grid-cols-2">
          <div className="grid content-start gap-4">
            <section aria-label="What is known" className="grid gap-2">
              <h3 className="text-sm font-semibold">What is known</h3>
              <ul className="grid list-disc gap-1 pl-5 text-sm">
                {reasons(board, program, levels).map((reason) => (
                  <li key={reason}>{reason}</li>
                ))}
              </ul>
            </section>
            <Plan target={target} />
          </div>
          <Contacts board={board} target={target} program={program} />
        </div>
      </Card>
    </div>
  )
}

function EditPlan({ board, target, program }: { board: Board; target: Target; program: Program }) {
  const { saveTarget } = useCollegeForms(board.playerId)
  const text = (value: string | null) => value ?? ''
  return (
    <RecordDialog
      trigger={
        <Button variant="outline">
          <Pencil aria-hidden />
          Plan
        </Button>
      }
      title={program.name}
      text="Only you, your guardian, and coaches you share the board with see this."
      fields={TARGET_FIELDS}
      schema={async () => (await schemas()).targetSchema}
      defaults={{
        next_step: text(target.next_step),
        next_on: text(target.next_on),
        visit_kind: text(target.visit_kind),
        visit_on: text(target.visit_on),
        offer: text(target.offer),
        reply_by: text(target.reply_by),
        notes: text(target.notes),
      }}
      draft={`college-target:${target.id}`}
      location="College Bound"
      onSave={(values: TargetValues) => saveTarget(target.id, values)}
    />
  )
}

/** Adds the commitment to the profile, and announces it on the timeline to the chosen audience. */
function Commit({ board, program }: { board: Board; program: Program }) {
  const commit = useCommit(board.playerId)
  const { data: memberships = [] } = useQuery(membershipsQuery(board.playerId))
  const teams = memberships.flatMap(({ role, status, teams }) =>
    role === 'player' && status === 'active' && teams ? [teams] : [],
  )
  return (
    <RecordDialog
      trigger={
        <Button variant="outline">
          <GraduationCap aria-hidden />
          Commit
        </Button>
      }
      title={`Commitment to ${program.name}`}
      text="It is added to the profile. An announcement is a post on the timeline, which you can delete. Players under 13 cannot announce."
      fields={commitFields(teams)}
      schema={async () => (await schemas()).commitSchema}
      defaults={{ status: 'committed', committed_on: today(), audience: 'nobody' }}
      draft={`college-commit:${board.playerId}:${program.id}`}
      location="College Bound"
      onSave={(values: CommitValues) => commit(program.name, values)}
    />
  )
}

function Plan({ target }: { target: Target }) {
  const { next_step, next_on, visit_kind, visit_on, offer, reply_by, notes } = target
  const lines = [
    ['Next step', next_step, next_on],
    [VISITS[visit_kind ?? ''] ?? 'Visit', visit_on && day(visit_on), null],
    ['Offer', offer, reply_by && `answer by ${day(reply_by)}`],
    ['Notes', notes, null],
  ].filter(([, value]) => value)
  if (lines.length === 0) return null
  return (
    <dl className="grid gap-2 text-sm">
      {lines.map(([name, value, more]) => (
        <div key={name}>
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="whitespace-pre-line wrap-anywhere">
            {value}
            {more && ` (${/^\d{4}-/.test(more) ? day(more) : more})`}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Contacts({ board, target, program }: { board: Board; target: Target; program: Program }) {
  const { addContact } = useCollegeForms(board.playerId)
  const remove = useRemoveContact()
  return (
    <section aria-label="Contacts" className="grid content-start gap-2">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">Contacts</h3>
        {board.writes && (
          <div className="flex flex-wrap gap-2">
            <LetterButton board={board} target={target} program={program} />
            <RecordDialog
              trigger={
                <Button size="sm" variant="outline">
                  <MessageSquarePlus aria-hidden />
                  Log a contact
                </Button>
              }
              title={`Contact with ${program.name}`}
              text="For your own record: nothing is sent."
              fields={CONTACT_FIELDS}
              schema={async () => (await schemas()).contactSchema}
              defaults={{ kind: 'email', received: 'false', happened_on: today(), person: '', body: '' }}
              draft={`college-contact:${target.id}`}
              location="College Bound"
              onSave={(values) => addContact(target.id, values)}
            />
          </div>
        )}
      </div>
      {target.college_contacts.length === 0 ? (
        <Empty>No contact logged yet.</Empty>
      ) : (
        <ul className="divide-y divide-border rounded-xl border border-border">
          {target.college_contacts.map((contact) => (
            <li key={contact.id} className="flex items-start gap-2 px-3 py-2 text-sm">
              <div className="min-w-0 grow">
                <p className="font-medium wrap-anywhere">{contactWords(contact)}</p>
                <p className="text-xs text-muted-foreground">{day(contact.happened_on)}</p>
                {contact.body && <p className="mt-1 whitespace-pre-line wrap-anywhere">{contact.body}</p>}
              </div>
              {board.writes && (
                <RemovalDialog
                  name="this contact"
                  text="It is taken out of the log."
                  pending={remove.isPending}
                  onRemove={() => remove.mutateAsync(contact.id)}
                />
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** `Email from Coach Lee`, `Call with Coach Lee`, `Visit` */
function contactWords({ kind, received, person }: Contact): string {
  const what = CONTACT_KINDS.find(([name]) => name === kind)?.[1] ?? kind
  const between = kind === 'visit' || kind === 'camp' ? 'with' : received ? 'from' : 'to'
  return person ? `${what} ${between} ${person}` : received ? `${what} from the college` : what
}
