import {
  Brain,
  CalendarDays,
  ChartNoAxesCombined,
  ClipboardList,
  GraduationCap,
  MessagesSquare,
  Newspaper,
  Radio,
  ShoppingBag,
  Smartphone,
  Tent,
  Trophy,
  type LucideIcon,
} from 'lucide-react'
import { paths } from '@/lib/paths'

/** Ids of the sections that the top bar and the hero scroll to. */
export const FEATURES_ID = 'features'
export const DEMO_ID = 'demo'

/** What the top bar leads to, and the menu that stands in for it on small screens; Sign In comes after them. */
export const BAR_LINKS = [
  { label: 'Features', to: { pathname: paths.home, hash: `#${FEATURES_ID}` } },
  { label: 'Pricing', to: paths.pricing },
]

/** Section 3's sample player: the fields are the specification's, the person is nobody. */
export const SAMPLE_PLAYER = {
  name: 'Marcus Reed',
  position: 'Shortstop',
  team: 'Harbor Gulls',
  battingAvg: 0.318,
  homeRuns: 14,
  rbi: 52,
  era: 2.45,
  strikeouts: 41,
  wins: 5,
  losses: 2,
}

/** Section 9: what the rival asks for at least, a month. */
export const RIVAL_PRICE = '$9.99/mo'

/** The comparison of section 2: one row a promise, what we say to it and what a stats-tracking app does. */
export const COMPARISON: readonly { promise: string; ours: string | boolean; rival: string | boolean }[] = [
  { promise: 'Starting price', ours: 'Free', rival: RIVAL_PRICE },
  { promise: 'Statistics and box scores', ours: true, rival: true },
  { promise: 'AI-powered predictive analytics', ours: true, rival: false },
  { promise: 'AI personal coach', ours: true, rival: false },
  { promise: 'Team communication by role', ours: true, rival: true },
  { promise: 'Rankings and leaderboards', ours: true, rival: false },
  { promise: 'College recruiting', ours: true, rival: false },
  { promise: 'Swing analysis with sharing', ours: true, rival: false },
  { promise: 'Works on any phone', ours: true, rival: true },
]

/** The promises of the specification's section 1, twelve cards as section 2 has them. */
export const FEATURES: readonly { icon: LucideIcon; title: string; text: string }[] = [
  {
    icon: ChartNoAxesCombined,
    title: 'AI-Powered Predictive Analytics',
    text: 'Where a season is heading, worked out from what has been played so far.',
  },
  { icon: Brain, title: 'AI Personal Coach', text: 'Ask about your swing, your numbers or tomorrow’s practice.' },
  { icon: MessagesSquare, title: 'Team Communication', text: 'One place for the team’s talk, by channel and by role.' },
  { icon: Trophy, title: 'Rankings and Leaderboards', text: 'See who leads, by position, league and statistic.' },
  {
    icon: ClipboardList,
    title: 'Roster Management',
    text: 'Line-ups and depth charts, with permissions that follow each person’s role.',
  },
  {
    icon: CalendarDays,
    title: 'Schedule Management',
    text: 'Games, practices and travel in a calendar everybody shares.',
  },
  {
    icon: GraduationCap,
    title: 'College Recruiting',
    text: 'A profile that speaks for you, in front of the people who recruit.',
  },
  { icon: Smartphone, title: 'Mobile-Friendly', text: 'Made for the phone in the dugout as much as the desk at home.' },
  { icon: Radio, title: 'Live Stream', text: 'Follow the game when you cannot be at the field.' },
  { icon: ShoppingBag, title: 'Marketplace', text: 'Gear that has another season in it, from players near you.' },
  { icon: Tent, title: 'Training Camps', text: 'Find a camp that suits your level and your summer.' },
  { icon: Newspaper, title: 'News Reel', text: 'What happened around the leagues, without the noise.' },
]
