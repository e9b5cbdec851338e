import { UNREACHABLE } from '@/lib/errors'
import { hasNotArrived } from '@/lib/lazy-screen'
import { toast } from '@/ui/toast/toast-state'

/** Opens what `load` loads. If its file does not arrive, a toast says so and the page stays as it is. */
export async function openWhenLoaded(load: () => Promise<unknown>, open: () => void) {
  try {
    await load()
  } catch (error) {
    if (hasNotArrived(error)) {
      toast({ title: 'That could not be opened', description: UNREACHABLE, variant: 'error' })
      return
    }
    // A defect of the module: drawing it fails in the same way, and reaches the error screen.
  }
  open()
}
