import {
  Bot,
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

/** The links of the top bar, and of the menu that replaces it on small screens; Sign In follows them. */
export const BAR_LINKS = [
  { label: 'Features', to: { pathname: paths.home, hash: `#${FEATURES_ID}` } },
  { label: 'Pricing', to: paths.pricing },
]

/** Section 3's sample player: an invented person with the specification's fields. */
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

/** Said of every promise that has no product behind it yet. */
export const COMING_SOON = 'Coming soon'

/** Section 9: what the rival asks for at least, a month. */
export const RIVAL_PRICE = '$9.99/mo'

type Row = { promise: string; ours: string | boolean; rival: string | boolean }

/** The comparison of section 2: one row a promise, what we say to it and what a stats-tracking app does. */
export const COMPARISON: readonly Row[] = [
  { promise: 'Starting price', ours: 'Free', rival: RIVAL_PRICE },
  { promise: 'Statistics of every season', ours: true, rival: true },
  { promise: 'AI-powered predictive analytics', ours: COMING_SOON, rival: false },
  { promise: 'AI personal coach', ours: COMING_SOON, rival: false },
  { promise: 'Team schedule and roster', ours: true, rival: true },
  { promise: 'Team messages by role', ours: COMING_SOON, rival: true },
  { promise: 'Rankings and leaderboards', ours: true, rival: false },
  { promise: 'Profiles that coaches and scouts can read', ours: true, rival: false },
  { promise: 'Swing analysis with sharing', ours: COMING_SOON, rival: false },
  { promise: 'Works on any phone', ours: true, rival: true },
]

type Feature = { icon: LucideIcon; title: string; text: string; soon?: boolean }

/** The promises of the specification's section 1, twelve cards as section 2 has them. `soon`: the screen is not built yet. */
export const FEATURES: readonly Feature[] = [
  {
    icon: ChartNoAxesCombined,
    title: 'AI-Powered Predictive Analytics',
    text: 'Where a season is heading, worked out from what has been played so far.',
    soon: true,
  },
  {
    icon: Bot,
    title: 'AI Personal Coach',
    text: 'Ask about your swing, your numbers or tomorrow’s practice.',
    soon: true,
  },
  {
    icon: MessagesSquare,
    title: 'Team Communication',
    text: 'A hub for each team: the schedule, and for coaches the roster. Messages are coming soon.',
  },
  {
    icon: Trophy,
    title: 'Rankings and Leaderboards',
    text: 'See who leads, by position, class, state and statistic.',
  },
  {
    icon: ClipboardList,
    title: 'Roster Management',
    text: 'A team by invitation, with permissions that follow each person’s role.',
  },
  {
    icon: CalendarDays,
    title: 'Schedule Management',
    text: 'The games of each team with their scores. Follow one live, play by play.',
  },
  {
    icon: GraduationCap,
    title: 'College Recruiting',
    text: 'A profile that speaks for you, and watchlists for the people who recruit.',
  },
  { icon: Smartphone, title: 'Mobile-Friendly', text: 'Made for the phone in the dugout as much as the desk at home.' },
  {
    icon: Radio,
    title: 'Live Stream',
    text: 'Follow the game when you cannot be at the field.',
    soon: true,
  },
  {
    icon: ShoppingBag,
    title: 'Marketplace',
    text: 'Gear that has another season in it, from players near you.',
    soon: true,
  },
  {
    icon: Tent,
    title: 'Training Camps',
    text: 'Find a camp that suits your level and your summer.',
    soon: true,
  },
  {
    icon: Newspaper,
    title: 'News Reel',
    text: 'What happened around the leagues, without the noise.',
  },
]
