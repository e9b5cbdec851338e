import { paths, type Path } from '@/lib/paths'

export const SIGNUP_ROLES = ['player', 'coach', 'scout', 'fan'] as const
export type SignupRole = (typeof SIGNUP_ROLES)[number]
/** What a user can be; `admin` is never chosen, only granted. */
const ROLES = [...SIGNUP_ROLES, 'admin'] as const
export type Role = (typeof ROLES)[number]

type RoleColumns = { role: string | null; user_type: string | null; is_admin: boolean | null }

/** Section 4, "Role resolution": admin when is_admin is set, otherwise role, otherwise user_type, otherwise fan. */
export function resolveRole(row: RoleColumns | null): Role {
  if (row?.is_admin) return 'admin'
  return known(row?.role) ?? known(row?.user_type) ?? 'fan'
}

/** Section 2: the target of "My Profile"; for all but coaches and scouts it is /player. */
export function profilePath(role: Role): Path {
  if (role === 'coach') return paths.coach
  if (role === 'scout') return paths.scout
  return paths.player
}

/** An unknown word is no role. */
function known(word: string | null | undefined): Role | undefined {
  return ROLES.find((role) => role === word)
}
