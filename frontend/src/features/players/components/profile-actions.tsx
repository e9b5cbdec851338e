import { useQuery } from '@tanstack/react-query'
import { Heart, Printer, Share2 } from 'lucide-react'
import { paths } from '@/lib/paths'
import { useSession } from '@/lib/session'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { toast } from '@/ui/toast/toast-state'
import { useFollow } from '@/data/players/mutations'
import { followQuery } from '@/data/players/queries'

/** What anybody may do with a profile: follow, hand on, print. */
export function ProfileActions({ id, name }: { id: string; name: string }) {
  const { user } = useSession()
  return (
    <>
      {user && user.id !== id && <FollowButton followerId={user.id} id={id} />}
      <Button variant="outline" onClick={() => void share(id, name)}>
        <Share2 aria-hidden />
        Share
      </Button>
      <Button variant="outline" onClick={() => window.print()}>
        <Printer aria-hidden />
        Print
      </Button>
      <Report subjectKind="profile" subjectId={id} subjectUserId={id} />
    </>
  )
}

function FollowButton({ followerId, id }: { followerId: string; id: string }) {
  const { data: follows = false, isPending } = useQuery(followQuery(followerId, id))
  const follow = useFollow(followerId, id)
  return (
    <Button
      variant={follows ? 'secondary' : 'default'}
      disabled={isPending || follow.isPending}
      aria-pressed={follows}
      onClick={() => follow.mutate(!follows)}
    >
      <Heart aria-hidden className={cn(follows && 'fill-current')} />
      {follows ? 'Following' : 'Follow'}
    </Button>
  )
}

async function share(id: string, name: string) {
  const url = window.location.origin + paths.playerById.replace(':id', id)
  const canShare = 'share' in navigator
  if (canShare) {
    // Closing the browser's own dialog is no error.
    await navigator.share({ title: name, url }).catch(() => undefined)
    return
  }
  await navigator.clipboard.writeText(url).then(
    () => toast({ title: 'Link copied', description: url, variant: 'success' }),
    () => toast({ title: 'The link', description: url }),
  )
}
