import { UNKNOWN } from '@/lib/format'

export type LedgerLine = { id: number; amount: number; reason: string; created_at: string }

/** The balance is the sum of the ledger, whatever else says. */
export const balance = (lines: readonly Pick<LedgerLine, 'amount'>[]) =>
  lines.reduce((sum, { amount }) => sum + amount, 0)

/** The lines, newest first, each with what was held after it. */
export function withBalance(lines: readonly LedgerLine[]): (LedgerLine & { after: number })[] {
  let after = balance(lines)
  return lines.map((line) => {
    const held = { ...line, after }
    after -= line.amount
    return held
  })
}

const REASONS: Readonly<Record<string, string>> = { welcome_bonus: 'Welcome bonus', referral: 'Referral' }

/** "Welcome bonus" of `welcome_bonus`. */
export function reasonText(reason: string): string {
  const words = REASONS[reason] ?? reason.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where the code leads: the landing page, which keeps it. */
export const referralLink = (code: string, origin: string) => `${origin}/?ref=${encodeURIComponent(code)}`

/** `25%`; a share of nothing is unknown, not 0%. */
export function share(part: number, whole: number): string {
  return whole === 0 ? UNKNOWN : `${Math.round((part / whole) * 100)}%`
}
