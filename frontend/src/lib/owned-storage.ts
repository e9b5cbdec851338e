import { forgetDraftsOfOthers } from '@/lib/draft-storage'

/** Local storage keys of what one user keeps on this device. */
const OWNED = ['notifications', 'notifications-seen']
/** Local storage key of the user who owns them. */
const OWNER = 'storage-of'

/** After a session has ended by itself another user may sign in, who must not find the first user's drafts and notifications. */
export function forgetOthers(userId: string) {
  forgetDraftsOfOthers(userId)
  const owner = localStorage.getItem(OWNER)
  if (owner === userId) return
  if (owner !== null) OWNED.forEach((key) => localStorage.removeItem(key))
  localStorage.setItem(OWNER, userId)
}
