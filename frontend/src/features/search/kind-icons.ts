import { CircleDot, ClipboardList, GraduationCap, Newspaper, Search, Users, type LucideIcon } from 'lucide-react'
import type { SuggestionKind } from '@/data/search/model'

/** Beside a result. Players have a jersey instead where their name is known. */
export const KIND_ICONS: Readonly<Record<SuggestionKind, LucideIcon>> = {
  player: Search,
  team: Users,
  coach: ClipboardList,
  program: GraduationCap,
  game: CircleDot,
  article: Newspaper,
}
