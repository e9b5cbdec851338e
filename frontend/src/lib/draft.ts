import { useEffect } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { forgetDraft, keepDraft, readDraft } from '@/lib/draft-storage'
import { useReportUnsavedChange, type UnsavedChange } from '@/lib/unsaved-changes'

/**
 * Keeps what is typed into a form until it is saved: over a reload, a lost connection, an expired session. It lives in
 * session storage, which logging out empties, and the logout dialog names it.
 * @param change its `id` must contain the owner's id if the form belongs to a person
 * @param secret fields that are never kept: passwords and codes
 */
export function useDraft<Values extends FieldValues, Output>(
  change: UnsavedChange,
  form: UseFormReturn<Values, unknown, Output>,
  secret: readonly (keyof Values & string)[] = [],
) {
  const { subscribe, reset, getValues, formState } = form
  const { id, description, location } = change
  const secrets = secret.join(' ')
  useEffect(() => {
    const omitted = secrets.split(' ')
    const kept = readDraft(id)
    if (kept) reset({ ...getValues(), ...kept.values }, { keepDefaultValues: true })
    return subscribe({
      formState: { values: true, isDirty: true, dirtyFields: true },
      callback: ({ values, dirtyFields = {} }) => {
        const isDirty = Object.entries(dirtyFields).some(([name, dirty]) => dirty && !omitted.includes(name))
        if (isDirty) keepDraft({ id, description, location }, without(values, omitted))
        else forgetDraft(id)
      },
    })
  }, [id, description, location, secrets, subscribe, reset, getValues])
  useReportUnsavedChange(change, formState.isDirty)
}

function without(values: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}
