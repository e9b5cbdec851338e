import { z } from 'zod'
import { pastDay } from '@/lib/fields'
import { paths, type Path } from '@/lib/paths'
import { profilePath, type Role } from '@/lib/role'

/** "Good morning" until noon, and so on, by the hour of the reader's own clock. */
export function greeting(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

/** The first of somebody's names, or of the address where there is no name. An account by phone may have neither. */
export function firstName(fullName: string, email: string | null): string {
  return fullName.trim().split(/\s+/)[0] || email?.split('@')[0] || 'friend'
}

/** A day on which somebody who is alive was born. */
export const birthDateSchema = z.object({
  birth_date: pastDay.refine((date) => date > '1900', 'Please enter your birth date.'),
})

type NextStep = { title: string; text: string; to: Path; action: string }

const COMMON: readonly NextStep[] = [
  { title: 'Bring people along', text: 'Your link, and what came of it.', to: paths.referrals, action: 'Tokens' },
]

const STEPS: Record<Role, readonly NextStep[]> = {
  player: [
    {
      title: 'Your numbers',
      text: 'Measurements, seasons and videos, and where you stand among your class.',
      to: paths.player,
      action: 'My Profile',
    },
    { title: 'Whom you follow', text: 'Players you keep an eye on.', to: paths.followedPlayers, action: 'Following' },
  ],
  coach: [
    {
      title: 'Your coaching',
      text: 'Team, league and certifications.',
      to: profilePath('coach'),
      action: 'My Profile',
    },
    { title: 'Whom you follow', text: 'Players you keep an eye on.', to: paths.followedPlayers, action: 'Following' },
  ],
  scout: [
    {
      title: 'Players you watch',
      text: 'Everybody you follow, in one table.',
      to: paths.followedPlayers,
      action: 'Following',
    },
    {
      title: 'Your desk',
      text: 'Organization, regions and verification.',
      to: profilePath('scout'),
      action: 'My Profile',
    },
  ],
  fan: [
    { title: 'Whom you follow', text: 'Players you keep an eye on.', to: paths.followedPlayers, action: 'Following' },
    { title: 'Your profile', text: 'What others see of you.', to: paths.player, action: 'My Profile' },
  ],
  admin: [
    { title: 'The whole club', text: 'Users, reports, messages and figures.', to: paths.admin, action: 'Admin' },
    { title: 'Whom you follow', text: 'Players you keep an eye on.', to: paths.followedPlayers, action: 'Following' },
  ],
}

/** What each role goes on to from Home. */
export const nextSteps = (role: Role): readonly NextStep[] => [...STEPS[role], ...COMMON]
