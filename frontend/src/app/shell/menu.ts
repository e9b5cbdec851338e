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

const BEFORE_PROFILE: readonly MenuEntry[] = [{ to: paths.home, label: 'Home', icon: House }]

const AFTER_PROFILE: readonly MenuEntry[] = [
  { to: paths.search, label: 'Search', icon: Search },
  { to: paths.leaderboard, label: 'Leaderboard', icon: ListOrdered },
  { to: paths.rankings, label: 'Rankings', icon: Trophy },
  { to: paths.collegeBound, label: 'College Bound', icon: GraduationCap },
  { to: paths.newsReel, label: 'Newsroom', icon: Newspaper },
  { to: paths.marketplace, label: 'Marketplace', icon: ShoppingBag },
  { to: paths.followedPlayers, label: 'Following', icon: Heart },
  { to: paths.liveStream, label: 'Live Stream', icon: Radio },
  { to: paths.referrals, label: 'Tokens', icon: Coins },
  { to: paths.camps, label: 'Training Camps', icon: Tent },
  { to: paths.teamCommunication, label: 'Communication Hub', icon: MessagesSquare },
  { to: paths.trainingGuides, label: 'Training Guides', icon: BookOpen },
  { to: paths.personalCoach, label: 'AI Coach', icon: Bot },
  { to: paths.privacyPolicy, label: 'Privacy Policy', icon: ShieldCheck },
  { to: paths.termsOfService, label: 'Terms of Service', icon: FileText },
  { to: paths.analytics, label: 'Analytics', icon: ChartLine },
  { to: paths.swingAnalysis, label: 'Swing Analysis', icon: Waves },
]

const ADMIN: MenuEntry = { to: paths.admin, label: 'Admin', icon: ShieldUser }

/** Section 2, "Side navigation": every entry in its order; My Profile by role, Admin for the addresses configured. */
export function menuEntries(role: Role, isAdminAddress: boolean): MenuEntry[] {
  const profile: MenuEntry = { to: profilePath(role), label: 'My Profile', icon: CircleUserRound }
  return [...BEFORE_PROFILE, profile, ...AFTER_PROFILE, ...(isAdminAddress ? [ADMIN] : [])]
}

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
