import { dollars } from '@/lib/format'

/** Browser storage keys of section 3: what was chosen before sign-up. */
export function saveTier(
  storage: Pick<Storage, 'setItem'>,
  { id, price_monthly }: { id: string; price_monthly: number },
) {
  storage.setItem('selectedMembershipTier', id)
  storage.setItem('selectedMembershipPrice', String(price_monthly))
}

/** The tier that waits for the sign-up, if one was chosen. */
export const chosenTier = (storage: Pick<Storage, 'getItem'>) => storage.getItem('selectedMembershipTier')

/** `Free`, `$9`, `$9.50`. */
export const priceText = (price: number) => (price === 0 ? 'Free' : dollars(price))
