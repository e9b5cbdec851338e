import { Copy, Share2 } from 'lucide-react'
import { QRCodeSVG } from 'qrcode.react'
import { UNKNOWN } from '@/lib/format'
import { Button } from '@/ui/button'
import { Input } from '@/ui/input'
import { Card } from '@/ui/section'
import { toast } from '@/ui/toast/toast-state'
import { referralLink } from '@/features/referrals/model'

/** The user's own link: to copy, to hand on, to scan. Without its code, which is being loaded, it only takes the room. */
export function InviteCard({ code }: { code: string | undefined }) {
  const link = code === undefined ? '' : referralLink(code, window.location.origin)
  const canShare = 'share' in navigator

  async function copy() {
    try {
      await navigator.clipboard.writeText(link)
      toast({ title: 'Link copied', variant: 'success' })
    } catch {
      toast({ title: 'Not copied', description: 'Please select the link and copy it by hand.', variant: 'error' })
    }
  }

  return (
    <Card title="Your link" text="Sign-ups through this link count for you">
      <div className="flex flex-wrap items-center gap-6" aria-busy={code === undefined}>
        <div className="rounded-xl border border-border bg-white p-3">
          {code === undefined ? (
            <div className="size-36" />
          ) : (
            <QRCodeSVG value={link} size={144} title="QR code of your referral link" />
          )}
        </div>
        <div className="grid min-w-0 grow basis-64 gap-3">
          <Input aria-label="Referral link" readOnly value={link} onFocus={(event) => event.target.select()} />
          <div className="flex flex-wrap gap-3">
            <Button disabled={code === undefined} onClick={() => void copy()}>
              <Copy aria-hidden />
              Copy link
            </Button>
            {canShare && (
              <Button
                variant="outline"
                disabled={code === undefined}
                // Closing the browser's own dialog is no error.
                onClick={() => void navigator.share({ title: 'Dugout', url: link }).catch(() => undefined)}
              >
                <Share2 aria-hidden />
                Share
              </Button>
            )}
          </div>
          <p className="text-sm text-muted-foreground">
            Your code is <strong className="text-foreground">{code ?? UNKNOWN}</strong>.
          </p>
        </div>
      </div>
    </Card>
  )
}
