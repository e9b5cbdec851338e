import { cva } from 'class-variance-authority'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X, type LucideIcon } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useSyncExternalStore } from 'react'
import { Button } from '@/ui/button'
import {
  dismissToast,
  TOAST_ACTION_DURATION,
  TOAST_AREA_LABEL,
  TOAST_DURATION,
  TOAST_HOTKEY,
  TOAST_SWIPE_THRESHOLD,
  toastStore,
  type Toast,
  type ToastVariant,
} from '@/ui/toast/toast-state'

const frame = cva(
  [
    'pointer-events-auto relative flex items-start gap-3 overflow-hidden rounded-xl border border-l-4 bg-card p-4 pr-11 shadow-lg',
    'data-[state=open]:animate-slide-in-right data-[state=closed]:animate-slide-out-right',
    'data-[swipe=move]:translate-x-(--radix-toast-swipe-move-x) data-[swipe=move]:transition-none',
    'data-[swipe=cancel]:translate-x-0 data-[swipe=cancel]:transition-transform',
    'data-[swipe=end]:animate-toast-swipe-out',
  ],
  {
    variants: {
      variant: {
        default: 'border-border border-l-primary text-foreground [--tone:var(--color-primary)]',
        destructive: 'border-destructive bg-destructive text-destructive-foreground [--tone:currentColor]',
        success: 'border-border border-l-success [--tone:var(--color-success)]',
        error: 'border-border border-l-destructive [--tone:var(--color-destructive)]',
        warning: 'border-border border-l-warning [--tone:var(--color-warning)]',
        info: 'border-border border-l-info [--tone:var(--color-info)]',
      } satisfies Record<ToastVariant, string>,
    },
  },
)

const ICONS: Record<ToastVariant, LucideIcon | null> = {
  default: null,
  destructive: CircleAlert,
  success: CircleCheck,
  error: CircleAlert,
  warning: TriangleAlert,
  info: Info,
}

/**
 * Where toasts appear: at the top, as forms have their buttons at the bottom. Hovering or focusing the area pauses their clocks, F8 moves the focus into it.
 */
export function Toaster() {
  const toasts = useSyncExternalStore(toastStore.subscribe, toastStore.read)
  return (
    <Radix.Provider duration={TOAST_DURATION} swipeDirection="right" swipeThreshold={TOAST_SWIPE_THRESHOLD}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        hotkey={TOAST_HOTKEY}
        label={TOAST_AREA_LABEL}
        className="pointer-events-none fixed top-0 right-0 z-60 flex max-h-dvh w-full flex-col-reverse gap-2.5 overflow-hidden p-4 outline-none sm:top-14 sm:max-w-md print:hidden"
      />
    </Radix.Provider>
  )
}

function ToastCard({ toast: { id, open, title, description, variant, button } }: { toast: Toast }) {
  const Icon = ICONS[variant]
  return (
    <Radix.Root
      open={open}
      duration={button ? TOAST_ACTION_DURATION : TOAST_DURATION}
      onOpenChange={(open) => {
        if (!open) dismissToast(id)
      }}
      className={frame({ variant })}
    >
      {Icon && <Icon aria-hidden className="mt-0.5 size-5 shrink-0 text-(--tone)" />}
      <div className="grid min-w-0 gap-0.5 text-sm">
        <Radix.Title className="font-semibold wrap-anywhere">{title}</Radix.Title>
        {description && <Radix.Description className="wrap-anywhere opacity-85">{description}</Radix.Description>}
      </div>
      {button && (
        <Radix.Action altText={button.otherwise} asChild>
          <Button variant="outline" size="sm" className="-my-1 ml-auto shrink-0" onClick={button.onPress}>
            {button.label}
          </Button>
        </Radix.Action>
      )}
      <Radix.Close
        aria-label="Close"
        className="absolute top-2.5 right-2.5 grid size-7 place-items-center rounded-md opacity-70 hover:bg-current/10 hover:opacity-100"
      >
        <X aria-hidden className="size-4" />
      </Radix.Close>
    </Radix.Root>
  )
}
