import type { UseQueryOptions } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { lazyScreen } from '@/lib/lazy-screen'
import { LateDialog } from '@/ui/late-dialog'
import type { Choice } from '@/data/teams/queries'

export type ChoiceProps = {
  title: string
  text: string
  /** What is searched for, as the field's label says it. */
  label: string
  action: string
  /** Whether a jersey number may be given, too. */
  jersey?: boolean
  search: (name: string) => UseQueryOptions<Choice[], Error, Choice[], string[]>
  onChoose: (id: string, jersey: string) => Promise<unknown>
}

type ChoiceDialogProps = ChoiceProps & { trigger: ReactNode }

const load = () => import('@/features/teams/components/choice-form')
const ChoiceForm = lazyScreen(load)

/** Searches a person or a team by name. */
export function ChoiceDialog({ trigger, ...choice }: ChoiceDialogProps) {
  return (
    <LateDialog trigger={trigger} load={load}>
      {(control) => <ChoiceForm {...choice} {...control} />}
    </LateDialog>
  )
}
