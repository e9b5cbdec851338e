import { useEffect, useSyncExternalStore } from 'react'
import { keptDrafts } from '@/lib/draft-storage'

/** Section 3, "Unsaved-change entry". */
export type UnsavedChange = { id: string; description: string; location: string }

let changes: readonly UnsavedChange[] = []
const listeners = new Set<() => void>()

function set(next: readonly UnsavedChange[]) {
  changes = next
  listeners.forEach((listener) => listener())
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/**
 * Everything that would be lost by logging out now, which the logout dialog names: forms on the page, and what is kept of
 * those that were left.
 */
export function useUnsavedChanges(): readonly UnsavedChange[] {
  const announced = useSyncExternalStore(subscribe, () => changes)
  const left = keptDrafts().filter(({ id }) => announced.every((change) => change.id !== id))
  return [...announced, ...left]
}

/** Puts an entry on the list, or replaces that of the same id. */
export function announceUnsavedChange(entry: UnsavedChange) {
  set([...changes.filter((change) => change.id !== entry.id), entry])
}

export function withdrawUnsavedChange(id: string) {
  if (changes.some((change) => change.id === id)) set(changes.filter((change) => change.id !== id))
}

/** Called by a form: while `dirty`, its entry is on the list. */
export function useReportUnsavedChange({ id, description, location }: UnsavedChange, dirty: boolean) {
  useEffect(() => {
    if (!dirty) return
    announceUnsavedChange({ id, description, location })
    return () => withdrawUnsavedChange(id)
  }, [id, description, location, dirty])
}
