import { Circle, CircleCheck } from 'lucide-react'
import { Link } from 'react-router'
import type { FirstTask } from '@/data/home/games'
import { cn } from '@/ui/class-names'
import { Card } from '@/ui/section'
import { TASKS } from '@/features/home/games'

/** Three tasks for somebody who is new; gone once all are done. */
export function FirstTasks({ tasks }: { tasks: readonly FirstTask[] }) {
  const done = tasks.filter((task) => task.done).length
  if (done === tasks.length) return null
  return (
    <Card
      title="First steps"
      aside={<span className="text-sm text-muted-foreground">{`${done} of ${tasks.length} done`}</span>}
    >
      <ol className="-my-2.5 divide-y divide-border">
        {tasks.map(({ task, done }) => (
          <Task key={task} name={task} done={done} />
        ))}
      </ol>
    </Card>
  )
}

function Task({ name, done }: { name: string; done: boolean }) {
  const task = TASKS[name]
  if (!task) return null
  const Icon = done ? CircleCheck : Circle
  return (
    <li className="flex items-center gap-3 py-2.5">
      <Icon aria-hidden className={cn('size-5.5 shrink-0', done ? 'text-success' : 'text-muted-foreground')} />
      <span className="min-w-0 grow">
        <span className={cn('block font-medium', done && 'text-muted-foreground line-through')}>
          {done || !task.to ? (
            task.title
          ) : (
            <Link to={task.to} className="text-primary underline underline-offset-4">
              {task.title}
            </Link>
          )}
          {done && <span className="sr-only"> (done)</span>}
        </span>
        {!done && <span className="block text-sm text-muted-foreground">{task.text}</span>}
      </span>
    </li>
  )
}
