import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Period } from '@/data/college/model'
import { usePeriodForm, useRemovePeriod } from '@/data/college/mutations'
import { periodsQuery } from '@/data/college/queries'
import { roleQuery } from '@/data/role/queries'
import { day, shortDay } from '@/lib/format'
import { useSession } from '@/lib/session'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Section } from '@/ui/section'
import { PERIOD_FIELDS, PERIODS, schemas, today } from '@/features/college/model'

const COLORS: Readonly<Record<string, string>> = {
  contact: 'bg-primary',
  evaluation: 'bg-primary/55',
  quiet: 'bg-primary/25',
  dead: 'bg-input',
}

/** When colleges may contact players: what admins have entered, with its source. */
export function Periods() {
  const { user } = useSession()
  const { data: role } = useQuery({ ...roleQuery(user?.id ?? ''), enabled: user !== null })
  const query = useQuery(periodsQuery)
  const remove = useRemovePeriod()
  const isAdmin = role === 'admin'
  return (
    <Section
      title="Recruiting periods"
      text="When coaches of the NCAA may call, visit and watch"
      query={query}
      problem="The recruiting periods could not be loaded."
      actions={isAdmin && <AddPeriod />}
    >
      {(periods) =>
        periods.length === 0 ? (
          <Empty>No dates entered for this season. Ask the NCAA or your coach before you rely on any.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {periods.map((period) => (
              <PeriodRow key={period.id} period={period}>
                {isAdmin && (
                  <>
                    <EditPeriod period={period} />
                    <RemovalDialog
                      name="this period"
                      text="It is taken out of the calendar."
                      pending={remove.isPending}
                      onRemove={() => remove.mutateAsync(period.id)}
                    />
                  </>
                )}
              </PeriodRow>
            ))}
          </ul>
        )
      }
    </Section>
  )
}

function AddPeriod() {
  const add = usePeriodForm()
  return (
    <RecordDialog
      trigger={
        <Button variant="outline">
          <Plus aria-hidden />
          Add a period
        </Button>
      }
      title="Add a recruiting period"
      text="Everybody reads it, with its source."
      fields={PERIOD_FIELDS}
      schema={async () => (await schemas()).periodSchema}
      defaults={{ division: '1', kind: 'contact', starts_on: '', ends_on: '', source: '', checked_on: today() }}
      draft="recruiting-period"
      location="College Bound"
      onSave={add}
    />
  )
}

function EditPeriod({ period }: { period: Period }) {
  const save = usePeriodForm(period.id)
  const { division, kind, starts_on, ends_on, source } = period
  return (
    <RecordDialog
      trigger={
        <Button variant="ghost" size="icon" aria-label={`Edit the ${PERIODS[kind] ?? kind} of D${division}`}>
          <Pencil aria-hidden />
        </Button>
      }
      title="Edit the recruiting period"
      text={`Division ${division}. Everybody reads it, with its source.`}
      fields={PERIOD_FIELDS.filter(({ name }) => name !== 'division')}
      schema={async () => (await schemas()).periodSchema}
      defaults={{ division: String(division), kind, starts_on, ends_on, source, checked_on: today() }}
      draft={`recruiting-period:${period.id}`}
      location="College Bound"
      onSave={save}
    />
  )
}

function PeriodRow({ period, children }: { period: Period; children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 py-2 text-sm">
      <span aria-hidden className={cn('h-8 w-1.5 shrink-0 rounded-full', COLORS[period.kind])} />
      <div className="min-w-0 grow">
        <p className="font-medium">
          {PERIODS[period.kind] ?? period.kind} · D{period.division}
          {isNow(period) && <span className="ml-2 text-xs font-semibold text-primary">Now</span>}
        </p>
        <p className="text-muted-foreground">
          {shortDay(period.starts_on)} to {shortDay(period.ends_on)}
        </p>
        <p className="text-xs wrap-anywhere text-muted-foreground">
          {period.source}, checked {day(period.checked_on)}
        </p>
      </div>
      {children}
    </li>
  )
}

const isNow = ({ starts_on, ends_on }: Period) => starts_on <= today() && today() <= ends_on
