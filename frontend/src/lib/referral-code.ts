/** Browser storage key of section 3: the `ref` of a link, kept for a later sign-up. */
export const REFERRAL_STORAGE_KEY = 'referralCode'
