import { Mail } from 'lucide-react'
import type { Board, Program, Target } from '@/data/college/model'
import { lazyScreen } from '@/lib/lazy-screen'
import { Button } from '@/ui/button'
import { LateDialog } from '@/ui/late-dialog'

const load = () => import('@/features/college/components/letter-dialog')
const LetterDialog = lazyScreen(load)

/** Opens the letters to a program. */
export function LetterButton(props: { board: Board; target: Target; program: Program }) {
  return (
    <LateDialog
      trigger={
        <Button size="sm" variant="outline">
          <Mail aria-hidden />
          Write a letter
        </Button>
      }
      load={load}
    >
      {(control) => <LetterDialog {...props} {...control} />}
    </LateDialog>
  )
}
