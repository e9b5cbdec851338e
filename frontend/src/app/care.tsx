import type { Ward } from '@/lib/minors'
import { useSession } from '@/lib/session'
import { WardCare } from '@/features/guardians/components/ward-care'
import { deleteAccount, exportData } from '@/features/settings/account'
import { useRecentSignIn } from '@/features/settings/components/recent-sign-in'

/** A guardian's part of a ward's profile: what it does to the account is what settings do to one's own. */
export default function Care({ ward }: { ward: Ward }) {
  const { user } = useSession()
  const [guard, confirmation] = useRecentSignIn(user?.email ?? '')
  return (
    <>
      <WardCare
        ward={ward}
        onExport={() => guard(() => exportData(ward.ward_id))}
        onDelete={() => guard(() => deleteAccount(ward.ward_id))}
      />
      {confirmation}
    </>
  )
}
