import { useLogo } from '@/data/media/queries'
import { Crest } from '@/ui/crest'

type TeamCrestProps = { team: { name: string; logo: string | null } | null; size?: 40 | 56 }

/** A team's crest; a closed team that the viewer does not see has an empty one. */
export function TeamCrest({ team, size = 40 }: TeamCrestProps) {
  return <Crest name={team?.name ?? ''} size={size} {...useLogo(team?.logo)} />
}
