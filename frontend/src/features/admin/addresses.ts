import { paths } from '@/lib/paths'

const address = (parameters: Record<string, string>) => `${paths.admin}?${new URLSearchParams(parameters).toString()}`

/** The admin's page of an account. */
export const userAddress = (id: string) => address({ tab: 'users', user: id })

/** The audit log of one person, as actor or as subject. */
export const auditAddress = (part: 'actor' | 'subject', id: string) => address({ tab: 'audit', [`a.${part}`]: id })

/** The public page of a person. */
export const profileAddress = (id: string) => paths.playerById.replace(':id', id)
