import { Monitor, Moon, Sun } from 'lucide-react'
import { useId } from 'react'
import { chooseTheme, useTheme } from '@/lib/theme'
import { cn } from '@/ui/class-names'

const CHOICES = [
  { theme: 'light', label: 'Light', Icon: Sun },
  { theme: 'dark', label: 'Dark', Icon: Moon },
  { theme: 'system', label: 'System', Icon: Monitor },
] as const

/** Light, dark, or as the system has it. `compact` shows the pictures alone. */
export function ThemeSwitch({ compact = false }: { compact?: boolean }) {
  const name = useId()
  const chosen = useTheme()
  return (
    <fieldset className="inline-flex gap-0.5 justify-self-start rounded-lg border border-border bg-muted p-0.5">
      <legend className="sr-only">Theme</legend>
      {CHOICES.map(({ theme, label, Icon }) => (
        <label
          key={theme}
          title={compact ? label : undefined}
          className={cn(
            'relative flex h-8 cursor-pointer items-center gap-2 rounded-md px-2.5 text-sm font-medium text-muted-foreground transition-colors',
            'hover:text-foreground has-checked:bg-card has-checked:text-foreground has-checked:shadow-sm',
            'has-focus-visible:outline-2 has-focus-visible:outline-ring',
          )}
        >
          <input
            type="radio"
            name={name}
            className="absolute inset-0 cursor-pointer opacity-0"
            checked={chosen === theme}
            onChange={() => chooseTheme(theme)}
          />
          <Icon aria-hidden className="size-4 shrink-0" />
          <span className={compact ? 'sr-only' : undefined}>{label}</span>
        </label>
      ))}
    </fieldset>
  )
}
