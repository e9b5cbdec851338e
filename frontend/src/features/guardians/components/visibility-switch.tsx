import type { Ward } from '@/lib/minors'
import { Switch } from '@/ui/switch'
import { isChild } from '@/features/guardians/model'
import { useSetWardVisibility } from '@/data/guardians/mutations'

/** Shows a ward's profile to others, or hides it. */
export function VisibilitySwitch({ ward }: { ward: Ward }) {
  const { ward_id, full_name, hides_profile, public_profile, suspended } = ward
  const show = useSetWardVisibility()
  return (
    <span className="grid gap-1">
      <label className="flex items-center gap-2 text-sm">
        <Switch
          aria-label={`Show the profile of ${full_name}`}
          checked={!hides_profile && (public_profile || isChild(ward))}
          disabled={show.isPending || suspended}
          onCheckedChange={(visible) => show.mutate({ ward_id, visible })}
        />
        Profile shown
      </label>
      {show.problem && (
        <span role="alert" className="text-sm text-destructive">
          {show.problem}
        </span>
      )}
    </span>
  )
}
