import type { Json } from '@/types/database'

/** What checks the forms; loaded apart, since screens are drawn without it. */
export const schemas = () => import('@/features/admin/schemas')

/** Parts of `/admin`, as its address names them. */
export const TABS = ['figures', 'users', 'reports', 'messages', 'audit'] as const
export type Tab = (typeof TABS)[number]

export const parseTab = (text: string | null): Tab => TABS.find((tab) => tab === text) ?? 'figures'

/** Days that the figures may cover. */
export const SPANS = [7, 30, 90, 365] as const

export const parseDays = (text: string | null): number => SPANS.find((days) => String(days) === text) ?? 30

export const words = (text: string) => text.replaceAll('_', ' ')

/** Why something is reported. */
export const REPORT_REASONS: readonly (readonly [string, string])[] = [
  ['spam', 'Spam'],
  ['abuse', 'Abuse'],
  ['false_data', 'False data'],
  ['minor_safety', 'Safety of a minor'],
  ['other', 'Something else'],
]

export const REPORT_STATES: readonly (readonly [string, string])[] = [
  ['open', 'Open'],
  ['resolved', 'Resolved'],
  ['dismissed', 'Dismissed'],
]

export const labelOf = (options: readonly (readonly [string, string])[], value: string) =>
  options.find(([option]) => option === value)?.[1] ?? words(value)

/** "Spam", or of several reports "3 reports: Abuse 2, Spam". */
export function reasonWords({ reasons }: { reasons: readonly string[] }): string {
  const names = [...new Set(reasons)].map((reason) => {
    const times = reasons.filter((other) => other === reason).length
    return labelOf(REPORT_REASONS, reason) + (times > 1 ? ` ${times}` : '')
  })
  return reasons.length > 1 ? `${reasons.length} reports: ${names.join(', ')}` : names.join('')
}

/** The audit log's actions in the past tense, before and after the person concerned; `%` is replaced by the entry's detail. */
const ACTIONS: Readonly<Record<string, readonly [string, string]>> = {
  account_deleted: ['deleted the account of', ''],
  address_proven: ['proved the address, which lifted the inherited suspension of', ''],
  admin_granted: ['made', 'an admin'],
  admin_withdrawn: ['took the admin rights of', ''],
  article_removed: ['removed an article of', ''],
  article_shown: ['let an article stand of', ''],
  birth_date_cleared: ['cleared the birth date of', ''],
  birth_date_corrected: ['corrected the birth date of', ''],
  comment_removed: ['removed a comment of', ''],
  comment_shown: ['let a comment stand of', ''],
  coach_verification_withdrawn: ['took back the verification of the coach', ''],
  coach_verified: ['verified the coach', ''],
  coach_vouch_withdrawn: ['no longer vouches for the coach', ''],
  coach_vouched: ['vouched for the coach', ''],
  contact_handled: ['ticked off a message', ''],
  contact_reopened: ['opened a message again', ''],
  guardianship_accepted: ['became a guardian of', ''],
  guardianship_declined: ['declined to be a guardian of', ''],
  guardianship_revoked: ['ended a guardianship of', ''],
  measurement_verified: ['verified a measurement of', ''],
  membership_set: ['set the membership of', 'to %'],
  pitch_limit_overridden: ['overrode a pitch limit', ''],
  post_removed: ['removed a post of', ''],
  post_shown: ['let a post stand of', ''],
  report_dismissed: ['dismissed a report on', ''],
  report_open: ['opened a report again on', ''],
  report_resolved: ['resolved a report on', ''],
  role_changed: ['changed the role of', '%'],
  role_set: ['set the role of', 'to %'],
  scout_verification_withdrawn: ['took back the verification of', ''],
  scout_verified: ['verified the scout', ''],
  tokens_adjusted: ['adjusted the tokens of', 'by %'],
  user_suspended: ['suspended', ''],
  user_unsuspended: ['lifted the suspension of', ''],
  verification_withdrawn: ['took back the verification of a measurement of', ''],
  ward_audience_set: ['chose who may open the profile of', '(%)'],
  ward_hidden: ['hid the profile of', ''],
  ward_shown: ['showed the profile of', ''],
}

/** The actions to choose from, by name. */
export const ACTION_OPTIONS = Object.keys(ACTIONS).map((action) => [action, sentenceCase(words(action))] as const)

function sentenceCase(text: string) {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export type AuditLine = {
  action: string
  actor_id: string | null
  actor_name: string | null
  subject_id: string | null
  subject_user_id: string | null
  subject_name: string | null
  detail: Json
}

/** Who did it; null for changes made in the database itself, such as by `dugout admin grant`. */
export function actorOf({ actor_id, actor_name }: Pick<AuditLine, 'actor_id' | 'actor_name'>): string {
  if (actor_id === null) return 'The server’s operator'
  return actor_name === null ? 'Somebody who has left' : actor_name || 'An unnamed user'
}

/** A line of the audit log as a sentence in three parts; the middle one is the person concerned. */
export function sentenceOf(line: AuditLine): { before: string; subject: string; after: string } {
  if (line.action === 'account_deleted' && line.subject_id === line.actor_id) {
    return { before: 'deleted their account', subject: '', after: '' }
  }
  const [before, after] = ACTIONS[line.action] ?? [`${words(line.action)}:`, '']
  return { before, subject: subjectOf(line), after: after.replace('%', detailOf(line)) }
}

/** The sentence as text. */
export function textOf(line: AuditLine): string {
  const { before, subject, after } = sentenceOf(line)
  return [actorOf(line), before, subject, after].filter(Boolean).join(' ')
}

function subjectOf({ action, subject_id, subject_user_id, subject_name }: AuditLine): string {
  if (action.startsWith('contact_') || action === 'pitch_limit_overridden') return ''
  if (subject_user_id !== null) return subject_name || 'an unnamed user'
  if (action.startsWith('report_')) return 'something'
  return subject_id === null ? '' : 'somebody who has left'
}

function detailOf({ action, detail }: AuditLine): string {
  if (typeof detail !== 'object' || detail === null || Array.isArray(detail)) return ''
  const { amount, tier, from, to } = detail
  if (action === 'tokens_adjusted' && typeof amount === 'number') return amount > 0 ? `+${amount}` : String(amount)
  if (action === 'membership_set' && typeof tier === 'string') return tier
  if (['role_set', 'ward_audience_set'].includes(action) && typeof to === 'string') return to
  return typeof from === 'string' && typeof to === 'string' ? `from ${from} to ${to}` : ''
}
