import { isRecord } from '@/lib/is-record'
import type { UnsavedChange } from '@/lib/unsaved-changes'

/** A kept form: its description for the logout dialog, and its values. */
type Draft = Omit<UnsavedChange, 'id'> & { values: Record<string, unknown> }

const PREFIX = 'draft:'
/** Session storage key of the user whose drafts this tab holds. */
const OWNER = 'drafts-of'

export function keepDraft({ id, description, location }: UnsavedChange, values: Draft['values']) {
  sessionStorage.setItem(PREFIX + id, JSON.stringify({ description, location, values }))
}

/** Forgets the draft of a form that was sent. */
export function forgetDraft(id: string) {
  sessionStorage.removeItem(PREFIX + id)
}

/** Whether a form has a draft. */
export const hasDraft = (id: string) => readDraft(id) !== null

/** The draft of a form; null if there is none or it cannot be read. */
export function readDraft(id: string): Draft | null {
  try {
    const draft: unknown = JSON.parse(sessionStorage.getItem(PREFIX + id) ?? 'null')
    if (!isRecord(draft) || !isRecord(draft.values)) return null
    return { description: String(draft.description), location: String(draft.location), values: draft.values }
  } catch {
    return null
  }
}

/** All kept drafts, including those of forms that are not on the page. */
export function keptDrafts(): UnsavedChange[] {
  const ids = Object.keys(sessionStorage).filter((key) => key.startsWith(PREFIX))
  return ids.flatMap((key) => {
    const id = key.slice(PREFIX.length)
    const draft = readDraft(id)
    return draft ? [{ id, description: draft.description, location: draft.location }] : []
  })
}

/** After a session has ended by itself another user may sign in, who must not see the first user's drafts. */
export function forgetDraftsOfOthers(userId: string) {
  const owner = sessionStorage.getItem(OWNER)
  if (owner === userId) return
  if (owner !== null) keptDrafts().forEach(({ id }) => forgetDraft(id))
  sessionStorage.setItem(OWNER, userId)
}
