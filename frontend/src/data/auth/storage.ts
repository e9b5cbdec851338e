import { forgetDraft } from '@/lib/draft-storage'

/** Ids under which the forms of /signin keep their drafts. */
export const SIGN_IN_DRAFT = 'sign-in'
export const SIGN_UP_DRAFT = 'sign-up'
export const COACH_DRAFT = 'coach-registration'

/** Session storage key of the address that awaits confirmation, so that a reload still shows it. */
export const AWAITING_KEY = 'awaitingConfirmation'

/** Discards what was typed into the forms of /signin. */
export function forgetForms() {
  sessionStorage.removeItem(AWAITING_KEY)
  for (const id of [SIGN_IN_DRAFT, SIGN_UP_DRAFT, COACH_DRAFT]) forgetDraft(id)
}

/** The tier chosen before sign-up (sections 3 and 9). */
export type MembershipTier = { tier: string; price: number }

export const TIER_STORAGE_KEYS = ['selectedMembershipTier', 'selectedMembershipPrice'] as const

/** The saved tier; BASIC at price 0 if none was saved. */
export function savedTier(storage: Pick<Storage, 'getItem'>): MembershipTier {
  const price = Number(storage.getItem('selectedMembershipPrice') ?? 0)
  return { tier: storage.getItem('selectedMembershipTier') || 'BASIC', price: price > 0 ? price : 0 }
}
