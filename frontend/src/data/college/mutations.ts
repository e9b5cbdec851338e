import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AUDIENCES, Period, Status, Target, Task } from '@/data/college/model'
import { COLLEGE_KEY, targetsQuery, tasksQuery } from '@/data/college/queries'
import { saving } from '@/data/saving'
import { explain } from '@/lib/explain'
import { supabase } from '@/lib/supabase'
import { FieldProblem } from '@/ui/record-dialog'
import { toast } from '@/ui/toast/toast-state'

const UNIQUE_VIOLATION = '23505'

export type TargetValues = Partial<Omit<Target, 'id' | 'program_id' | 'status' | 'college_contacts'>>
type ContactValues = {
  kind: string
  received: boolean
  happened_on: string
  person: string | null
  body: string | null
}
type TaskValues = { grade: number; title: string; due_on: string | null }

/** What forms do. Each throws what the server says, for the form to say. */
export function useCollegeForms(playerId: string) {
  const client = useQueryClient()
  const save = (work: () => Promise<void>) =>
    saving(client, async () => {
      await work()
      await client.invalidateQueries({ queryKey: COLLEGE_KEY })
    })
  return {
    saveTarget: (id: string, values: TargetValues) =>
      save(async () => {
        await supabase.from('college_targets').update(values).eq('id', id).throwOnError()
      }),
    addContact: (target_id: string, values: ContactValues) =>
      save(async () => {
        await supabase
          .from('college_contacts')
          .insert({ player_id: playerId, target_id, ...values })
          .throwOnError()
      }),
    addTask: (values: TaskValues) =>
      save(async () => {
        const { error } = await supabase.from('college_tasks').insert({ player_id: playerId, ...values })
        if (error?.code === UNIQUE_VIOLATION) throw new FieldProblem('title', 'This task is on the list already.')
        if (error) throw error
      }),
  }
}

export type CommitValues = {
  status: 'committed' | 'signed'
  committed_on: string
  audience: (typeof AUDIENCES)[number]
  /** For the audience `team`. */
  team?: string | undefined
}

/** Adds a commitment to the profile and announces it. If it cannot be announced, it is not added. */
export function useCommit(player: string) {
  const client = useQueryClient()
  return (program: string, values: CommitValues) =>
    saving(client, async () => {
      const { error } = await supabase.rpc('add_commitment', { player, program, ...values })
      if (error?.code === UNIQUE_VIOLATION) {
        throw new FieldProblem('status', 'There is a commitment already. Withdraw it on the profile first.')
      }
      if (error) throw error
      await client.invalidateQueries()
    })
}

/** What admins enter; with an id, they change that period. A period keeps its division. */
export function usePeriodForm(id?: string) {
  const client = useQueryClient()
  return ({ division, ...values }: Omit<Period, 'id'>) =>
    saving(client, async () => {
      const periods = supabase.from('recruiting_periods')
      const { error } = await (id ? periods.update(values).eq('id', id) : periods.insert({ division, ...values }))
      if (error?.code === UNIQUE_VIOLATION) throw new FieldProblem('starts_on', 'A period begins on this day already.')
      if (error) throw error
      await client.invalidateQueries({ queryKey: COLLEGE_KEY })
    })
}

export const useRemovePeriod = () =>
  useCollegeMutation(async (id: string) => {
    await supabase.from('recruiting_periods').delete().eq('id', id).throwOnError()
  })

/** Adds a program to the board. */
export const useAddTarget = (playerId: string) =>
  useCollegeMutation(async (program_id: string) => {
    await supabase.from('college_targets').insert({ player_id: playerId, program_id }).throwOnError()
  })

export const useRemoveTarget = () =>
  useCollegeMutation(async (id: string) => {
    await supabase.from('college_targets').delete().eq('id', id).throwOnError()
  })

export const useRemoveContact = () =>
  useCollegeMutation(async (id: string) => {
    await supabase.from('college_contacts').delete().eq('id', id).throwOnError()
  })

export const useAddTasks = (playerId: string) =>
  useCollegeMutation(async (tasks: readonly Pick<Task, 'grade' | 'title'>[]) => {
    await supabase
      .from('college_tasks')
      .insert(tasks.map((task) => ({ player_id: playerId, ...task })))
      .throwOnError()
  })

export const useRemoveTask = () =>
  useCollegeMutation(async (id: string) => {
    await supabase.from('college_tasks').delete().eq('id', id).throwOnError()
  })

type PlanValues = { shared_with_coaches?: boolean; what_if?: number | null }

export const useSavePlan = (playerId: string) =>
  useCollegeMutation(async (values: PlanValues) => {
    const plans = supabase.from('college_plans')
    const { data } = await plans.update(values).eq('player_id', playerId).select('player_id').throwOnError()
    if (data.length === 0) await plans.insert({ player_id: playerId, ...values }).throwOnError()
  })

function useCollegeMutation<Given>(work: (given: Given) => Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: work,
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey: COLLEGE_KEY }),
  })
}

/** Moves a program to another column. The card is there at once, and back if the server refuses. */
export function useMoveTarget(playerId: string) {
  const client = useQueryClient()
  const { queryKey } = targetsQuery(playerId)
  return useMutation({
    mutationFn: async ({ id, status }: { id: string; status: Status }) => {
      await supabase.from('college_targets').update({ status }).eq('id', id).throwOnError()
    },
    onMutate: async ({ id, status }) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (targets) =>
        targets?.map((target) => (target.id === id ? { ...target, status } : target)),
      )
    },
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

export function useTickTask(playerId: string) {
  const client = useQueryClient()
  const { queryKey } = tasksQuery(playerId)
  return useMutation({
    mutationFn: async ({ id, done_on }: { id: string; done_on: string | null }) => {
      await supabase.from('college_tasks').update({ done_on }).eq('id', id).throwOnError()
    },
    onMutate: async ({ id, done_on }) => {
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, (tasks) => tasks?.map((task) => (task.id === id ? { ...task, done_on } : task)))
    },
    onError: failed,
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}

function failed(error: unknown) {
  toast({ variant: 'error', title: 'That was not saved', description: explain(error, 'Please try again.') })
}
