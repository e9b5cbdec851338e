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

/** Ids of the sections that the top bar and the hero scroll to. */
export const FEATURES_ID = 'features'
export const DEMO_ID = 'demo'

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
