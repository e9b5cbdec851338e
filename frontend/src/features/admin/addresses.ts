import { paths } from '@/lib/paths'

const address = (parameters: Record<string, string>) => `${paths.admin}?${new URLSearchParams(parameters).toString()}`

/** Where an admin sees all of somebody's account. */
export const userAddress = (id: string) => address({ tab: 'users', user: id })

/** What somebody has done, or what was done to somebody. */
export const auditAddress = (part: 'actor' | 'subject', id: string) => address({ tab: 'audit', [`a.${part}`]: id })

/** The page that everybody sees of somebody. */
export const profileAddress = (id: string) => paths.playerById.replace(':id', id)
