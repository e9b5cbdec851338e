import type { User } from '@supabase/supabase-js'
import { ConnectedApps } from '@/features/settings/components/connected-apps'
import { EmailForm, PasswordForm } from '@/features/settings/components/credentials'
import { Passkeys } from '@/features/settings/components/passkeys'
import { SecondFactors } from '@/features/settings/components/second-factors'
import { Sessions } from '@/features/settings/components/sessions'
import { YourData } from '@/features/settings/components/your-data'

/** How the user signs in, where they are signed in, and their data. Loaded apart from the screen for its forms and dialogs. */
export default function Security({ user }: { user: User }) {
  const { id, email = '' } = user
  return (
    <>
      <PasswordForm user={user} />
      <EmailForm user={user} />
      <Passkeys userId={id} />
      <SecondFactors userId={id} />
      <Sessions userId={id} email={email} />
      <ConnectedApps userId={id} />
      <YourData email={email} />
    </>
  )
}
