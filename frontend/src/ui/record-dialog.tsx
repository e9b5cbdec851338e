import type { ReactNode } from 'react'
import type { z } from 'zod'
import { lazyScreen } from '@/lib/lazy-screen'
import { LateDialog } from '@/ui/late-dialog'

export type Texts = Record<string, string>

export type RecordField = {
  name: string
  label: string
  hint?: string
  help?: string
  type?: 'text' | 'number' | 'date' | 'url' | 'textarea'
  /** Makes it a choice: value and label. */
  options?: readonly (readonly [string, string])[]
  /** Takes the whole line. */
  wide?: boolean
}

/** Thrown by `onSave` where it is one field that the server did not take. */
export class FieldProblem extends Error {
  readonly field: string

  constructor(field: string, message: string) {
    super(message)
    this.field = field
  }
}

export type RecordProps<Output> = {
  title: string
  text: string
  fields: readonly RecordField[]
  /** Loads what checks the fields: screens are drawn without it. */
  schema: () => Promise<z.ZodType<Output, Texts>>
  defaults: Texts
  /** Under which what is typed is kept; it names the owner and the record. */
  draft: string
  /** Where the form is, for the logout dialog. */
  location: string
  /** The button's text; 'Save' by default. */
  submit?: string
  onSave: (values: Output) => Promise<unknown>
}

type RecordDialogProps<Output> = RecordProps<Output> & {
  /** The button that opens it. */
  trigger: ReactNode
}

const load = () => import('@/ui/record-form')
const RecordForm = lazyScreen(load)

/** One record of something, entered or changed: fields, each with its problem next to it. */
export function RecordDialog<Output>({ trigger, onSave, ...record }: RecordDialogProps<Output>) {
  return (
    <LateDialog trigger={trigger} load={load}>
      {/* The form hands on what the schema made, whatever that is. */}
      {(control) => <RecordForm {...record} {...control} onSave={(values) => onSave(values as Output)} />}
    </LateDialog>
  )
}
