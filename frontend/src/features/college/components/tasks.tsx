import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import type { Board, Task } from '@/data/college/model'
import { useAddTasks, useCollegeForms, useRemoveTask, useTickTask } from '@/data/college/mutations'
import { tasksQuery } from '@/data/college/queries'
import { shortDay } from '@/lib/format'
import { Button } from '@/ui/button'
import { cn } from '@/ui/class-names'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Loading, Problem, RowsSkeleton } from '@/ui/section'
import { GRADES, gradeOf, schemas, TASK_FIELDS, today, USUAL_TASKS } from '@/features/college/model'

/** What is to be done by the end of each grade. */
export function Tasks({ board }: { board: Board }) {
  const query = useQuery(tasksQuery(board.playerId))
  const { addTask } = useCollegeForms(board.playerId)
  const addUsual = useAddTasks(board.playerId)
  const grade = gradeOf(board.gradYear)
  const tasks = query.data ?? []
  const missing = USUAL_TASKS.filter((usual) => !tasks.some(({ title }) => title === usual.title))
  return (
    <div className="grid gap-4">
      {board.writes && (
        <div className="flex flex-wrap gap-2">
          <RecordDialog
            trigger={
              <Button variant="outline">
                <Plus aria-hidden />
                Add a task
              </Button>
            }
            title="Add a task"
            text="It is listed under its grade."
            fields={TASK_FIELDS}
            schema={async () => (await schemas()).taskSchema}
            defaults={{ title: '', grade: String(grade ?? 11), due_on: '' }}
            draft={`college-task:${board.playerId}`}
            location="College Bound"
            onSave={addTask}
          />
          {query.data && missing.length > 0 && (
            <Button
              variant={tasks.length === 0 ? 'default' : 'outline'}
              disabled={addUsual.isPending}
              onClick={() => addUsual.mutate(missing)}
            >
              {tasks.length === 0 ? 'Start with the usual tasks' : 'Add the usual tasks'}
            </Button>
          )}
        </div>
      )}
      {query.isError && (
        <Problem text="The tasks could not be loaded." error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isPending && (
        <Loading>
          <RowsSkeleton rows={6} />
        </Loading>
      )}
      {query.data && tasks.length === 0 && <Empty>No tasks yet.</Empty>}
      <div className="grid gap-4 lg:grid-cols-2">
        {GRADES.map((one) => (
          <Grade
            key={one}
            grade={one}
            now={one === grade}
            tasks={tasks.filter((task) => task.grade === one)}
            board={board}
          />
        ))}
      </div>
    </div>
  )
}

type GradeProps = { grade: number; now: boolean; tasks: readonly Task[]; board: Board }

function Grade({ grade, now, tasks, board }: GradeProps) {
  const tick = useTickTask(board.playerId)
  const remove = useRemoveTask()
  if (tasks.length === 0) return null
  const done = tasks.filter(({ done_on }) => done_on !== null).length
  return (
    <section
      aria-label={`Grade ${grade}`}
      className={cn('content-start rounded-2xl border bg-card', now ? 'border-primary' : 'border-border')}
    >
      <h2 className="px-4 py-3 text-base font-semibold">
        By the end of {grade}th grade{' '}
        <span className="text-sm font-normal text-muted-foreground tabular-nums">
          {done} of {tasks.length}
          {now && ' · now'}
        </span>
      </h2>
      <ul className="divide-y divide-border border-t border-border">
        {tasks.map(({ id, title, due_on, done_on }) => (
          <li key={id} className="flex min-h-12 items-center gap-3 px-4 text-sm">
            <label className="flex min-w-0 grow items-center gap-3 py-2">
              <input
                type="checkbox"
                className="size-5 shrink-0 accent-primary"
                checked={done_on !== null}
                disabled={!board.writes}
                onChange={({ target }) => tick.mutate({ id, done_on: target.checked ? today() : null })}
              />
              <span className={cn('wrap-anywhere', done_on && 'text-muted-foreground line-through')}>{title}</span>
            </label>
            <span
              className={cn(
                'shrink-0 text-xs text-muted-foreground',
                !done_on && due_on !== null && due_on < today() && 'font-semibold text-accent',
              )}
            >
              {done_on ? `Done ${shortDay(done_on)}` : due_on && `Due ${shortDay(due_on)}`}
            </span>
            {board.writes && (
              <RemovalDialog
                name={title}
                text="The task is taken off the list."
                pending={remove.isPending}
                onRemove={() => remove.mutateAsync(id)}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
