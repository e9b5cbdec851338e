import { useEffect, useSyncExternalStore } from 'react'

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

/** Everything that would be lost by leaving now; the logout dialog names it. */
export function useUnsavedChanges(): readonly UnsavedChange[] {
  return useSyncExternalStore(subscribe, () => changes)
}

/** Called by a form: while `dirty`, its entry is on the list. */
export function useReportUnsavedChange({ id, description, location }: UnsavedChange, dirty: boolean) {
  useEffect(() => {
    if (!dirty) return
    set([...changes.filter((change) => change.id !== id), { id, description, location }])
    return () => set(changes.filter((change) => change.id !== id))
  }, [id, description, location, dirty])
}
