import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { useReportUnsavedChange, type UnsavedChange } from '@/lib/unsaved-changes'

/**
 * Keeps what is typed into a form until it is saved: over a reload, a lost connection, an expired session. It lives in
 * session storage, which logging out empties, and the logout dialog names it.
 * @param change its `id` must name the owner too where the form is somebody's
 * @param secret fields that are never kept: passwords and codes
 */
export function useDraft<Values extends FieldValues, Output>(
  change: UnsavedChange,
  form: UseFormReturn<Values, unknown, Output>,
  secret: readonly (keyof Values)[] = [],
) {
  const { subscribe, reset, getValues, formState } = form
  const key = `draft:${change.id}`
  const omitted = secret.join(' ')
  useEffect(() => {
    const kept = readDraft(key)
    if (kept) reset({ ...getValues(), ...kept }, { keepDefaultValues: true })
    return subscribe({
      formState: { values: true, isDirty: true },
      callback: ({ values, isDirty }) => {
        if (isDirty === false) sessionStorage.removeItem(key)
        else sessionStorage.setItem(key, JSON.stringify(without(values, omitted.split(' '))))
      },
    })
  }, [key, omitted, subscribe, reset, getValues])
  useReportUnsavedChange(change, formState.isDirty)
}

/** Forgets a form that was sent, also where its page is gone already. */
export function forgetDraft(id: string) {
  sessionStorage.removeItem(`draft:${id}`)
}

/** Whether something of a form was kept. */
export const hasDraft = (id: string) => readDraft(`draft:${id}`) !== null

/** What was kept under a key, or null: nothing, or nothing readable. */
function readDraft(key: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}

function without(values: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}
