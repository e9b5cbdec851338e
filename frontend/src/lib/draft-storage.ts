import { isRecord } from '@/lib/is-record'
import type { UnsavedChange } from '@/lib/unsaved-changes'

/** What is kept of a form: what it is, for the logout dialog, and what is in it. */
type Draft = Omit<UnsavedChange, 'id'> & { values: Record<string, unknown> }

const PREFIX = 'draft:'
/** Whose drafts this tab holds. */
const OWNER = 'drafts-of'

export function keepDraft({ id, description, location }: UnsavedChange, values: Draft['values']) {
  sessionStorage.setItem(PREFIX + id, JSON.stringify({ description, location, values }))
}

/** Forgets a form that was sent, also where its page is gone already. */
export function forgetDraft(id: string) {
  sessionStorage.removeItem(PREFIX + id)
}

/** Whether something of a form was kept. */
export const hasDraft = (id: string) => readDraft(id) !== null

/** What was kept of a form, or null: nothing, or nothing readable. */
export function readDraft(id: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(PREFIX + id) ?? 'null')
    if (!isRecord(draft) || !isRecord(draft.values)) return null
    return { description: String(draft.description), location: String(draft.location), values: draft.values }
  } catch {
    return null
  }
}

/** Every form of which something is kept, also those that nobody sees now. */
export function keptDrafts(): UnsavedChange[] {
  const ids = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
  return ids.flatMap((key) => {
    const id = key.slice(PREFIX.length)
    const draft = readDraft(id)
    return draft ? [{ id, description: draft.description, location: draft.location }] : []
  })
}

/** A session can end by itself, and somebody else sign in where it was: they do not find what the first has typed. */
export function forgetDraftsOfOthers(userId: string) {
  const owner = sessionStorage.getItem(OWNER)
  if (owner === userId) return
  if (owner !== null) keptDrafts().forEach(({ id }) => forgetDraft(id))
  sessionStorage.setItem(OWNER, userId)
}
