import {
  BookOpen,
  Bot,
  ChartLine,
  CircleUserRound,
  Coins,
  FileText,
  GraduationCap,
  Heart,
  House,
  ListOrdered,
  MessagesSquare,
  Newspaper,
  Radio,
  Search,
  ShieldCheck,
  ShieldUser,
  ShoppingBag,
  Tent,
  Trophy,
  Waves,
  type LucideIcon,
} from 'lucide-react'
import { paths, type Path } from '@/lib/paths'
import { profilePath, type Role } from '@/lib/role'

export type MenuEntry = { to: Path; label: string; icon: LucideIcon }

export type MenuGroup = { title: string; entries: readonly MenuEntry[] }

const HOME: MenuEntry = { to: paths.home, label: 'Home', icon: House }
const FOLLOWING: MenuEntry = { to: paths.followedPlayers, label: 'Following', icon: Heart }
const ADMIN: MenuEntry = { to: paths.admin, label: 'Admin', icon: ShieldUser }

const YOURS: readonly MenuEntry[] = [
  { to: paths.analytics, label: 'Analytics', icon: ChartLine },
  { to: paths.swingAnalysis, label: 'Swing Analysis', icon: Waves },
  { to: paths.personalCoach, label: 'AI Coach', icon: Bot },
]

const SHARED: readonly MenuGroup[] = [
  {
    title: 'Team',
    entries: [
      { to: paths.teamCommunication, label: 'Communication Hub', icon: MessagesSquare },
      { to: paths.liveStream, label: 'Live Stream', icon: Radio },
    ],
  },
  {
    title: 'Compare',
    entries: [
      { to: paths.search, label: 'Search', icon: Search },
      { to: paths.leaderboard, label: 'Leaderboard', icon: ListOrdered },
      { to: paths.rankings, label: 'Rankings', icon: Trophy },
    ],
  },
  {
    title: 'Recruiting',
    entries: [
      { to: paths.collegeBound, label: 'College Bound', icon: GraduationCap },
      { to: paths.camps, label: 'Training Camps', icon: Tent },
    ],
  },
  {
    title: 'Read and trade',
    entries: [
      { to: paths.newsReel, label: 'Newsroom', icon: Newspaper },
      { to: paths.trainingGuides, label: 'Training Guides', icon: BookOpen },
      { to: paths.marketplace, label: 'Marketplace', icon: ShoppingBag },
      { to: paths.referrals, label: 'Tokens', icon: Coins },
    ],
  },
]

/** In the foot of the menu. */
export const LEGAL: readonly MenuEntry[] = [
  { to: paths.privacyPolicy, label: 'Privacy Policy', icon: ShieldCheck },
  { to: paths.termsOfService, label: 'Terms of Service', icon: FileText },
]

/** Section 2, "Side navigation", in groups; My Profile by role, Admin for the addresses configured. */
export function menuGroups(role: Role, isAdminAddress: boolean): MenuGroup[] {
  const profile: MenuEntry = { to: profilePath(role), label: 'My Profile', icon: CircleUserRound }
  const you = [HOME, profile, FOLLOWING, ...YOURS, ...(isAdminAddress ? [ADMIN] : [])]
  return [{ title: 'You', entries: you }, ...SHARED]
}

/** Every entry of the menu. */
export const menuEntries = (role: Role, isAdminAddress: boolean): MenuEntry[] => [
  ...menuGroups(role, isAdminAddress).flatMap(({ entries }) => entries),
  ...LEGAL,
]

/**
 * Whether an address is configured to see the Admin entry. Hashes are compared, so that the page contains no address.
 * Only the entry depends on this: what an admin may do is decided by the database.
 * False where the browser has no Web Crypto (plain HTTP on another host than localhost).
 */
export async function isAdminAddress(email: string, hashes: readonly string[]): Promise<boolean> {
  if (hashes.length === 0 || !('subtle' in crypto)) return false
  const bytes = new TextEncoder().encode(email.trim().toLowerCase())
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hashes.includes(hex)
}
