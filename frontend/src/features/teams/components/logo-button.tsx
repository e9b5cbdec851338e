import { ImagePlus } from 'lucide-react'
import { useLogoChanges } from '@/data/media/mutations'
import { Button } from '@/ui/button'
import { PictureDialog } from '@/ui/picture-dialog'
import type { Output } from '@/ui/pictures'

const SIZE: readonly Output[] = [{ side: 256, type: 'image/png' }]

/** Sets or removes a team's logo. */
export function LogoButton({ team }: { team: { id: string; name: string; logo: string | null } }) {
  const changes = useLogoChanges(team.id)
  return (
    <PictureDialog
      trigger={
        <Button variant="outline" size="sm" aria-label={`${team.logo ? 'Change' : 'Add'} the logo of ${team.name}`}>
          <ImagePlus aria-hidden />
          Logo
        </Button>
      }
      title={`Logo of ${team.name}`}
      text="Everybody who sees the team sees it."
      shape="crest"
      outputs={SIZE}
      onSave={changes.save}
      onRemove={team.logo ? changes.remove : undefined}
    />
  )
}
