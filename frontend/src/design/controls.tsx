import { Plus, Search } from 'lucide-react'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { Select } from '@/ui/select'
import { Switch } from '@/ui/switch'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { Textarea } from '@/ui/textarea'
import { ThemeSwitch } from '@/ui/theme-switch'
import { Shown, State } from '@/design/shown'

const VARIANTS = ['default', 'destructive', 'outline', 'secondary', 'ghost', 'link', 'glow'] as const
const SIZES = ['sm', 'default', 'lg'] as const

/** Buttons, inputs and selects. */
export function Controls() {
  return (
    <>
      <Buttons />
      <Fields />
      <Shown name="Select">
        <State name="chosen, disabled, short">
          <Select aria-label="Class" className="w-40" defaultValue="2027">
            <option value="2027">Class of 2027</option>
          </Select>
          <Select aria-label="Class, disabled" className="w-40" disabled>
            <option>Class of 2027</option>
          </Select>
          <Select aria-label="Class, short" className="h-10 w-40">
            <option>Class of 2027</option>
          </Select>
        </State>
      </Shown>
      <Shown name="Switch">
        <State name="off, on, disabled">
          <Switch aria-label="Off" />
          <Switch aria-label="On" defaultChecked />
          <Switch aria-label="Off and disabled" disabled />
          <Switch aria-label="On and disabled" defaultChecked disabled />
        </State>
      </Shown>
      <Shown name="Tabs">
        <Tabs defaultValue="players">
          <TabsList aria-label="Whom" className="w-72">
            <TabsTrigger value="players">Players</TabsTrigger>
            <TabsTrigger value="teams">Teams</TabsTrigger>
            <TabsTrigger value="none" disabled>
              None
            </TabsTrigger>
          </TabsList>
          <TabsContent value="players">The players.</TabsContent>
          <TabsContent value="teams">The teams.</TabsContent>
        </Tabs>
      </Shown>
      <Shown name="Theme switch">
        <State name="with words, compact">
          <ThemeSwitch />
          <ThemeSwitch compact />
        </State>
      </Shown>
    </>
  )
}

function Buttons() {
  return (
    <Shown name="Button">
      {VARIANTS.map((variant) => (
        <State key={variant} name={variant}>
          {SIZES.map((size) => (
            <Button key={size} variant={variant} size={size}>
              {size}
            </Button>
          ))}
          <Button variant={variant}>
            <Plus aria-hidden />
            With a sign
          </Button>
          <Button variant={variant} size="icon" aria-label={`Search, ${variant}`}>
            <Search aria-hidden />
          </Button>
          <Button variant={variant} disabled>
            Disabled
          </Button>
        </State>
      ))}
      <State name="as a link">
        <Button asChild variant="outline">
          <a href="#top">A link</a>
        </Button>
      </State>
    </Shown>
  )
}

function Fields() {
  return (
    <>
      <Shown name="Field and input">
        <div className="grid gap-4 sm:grid-cols-2">
          <Field id="empty" label="Empty" hint="optional">
            <Input id="empty" placeholder="Name of a player" />
          </Field>
          <Field id="filled" label="Filled" help="As it is on the roster">
            <Input {...described('filled', undefined, 'help')} defaultValue="Mateo Whitaker" />
          </Field>
          <Field id="wrong" label="Wrong" error="Please enter a name.">
            <Input {...described('wrong', 'error')} defaultValue=" " />
          </Field>
          <Field id="off" label="Disabled">
            <Input id="off" disabled defaultValue="Cannot be changed" />
          </Field>
          <Field id="day" label="Day">
            <Input id="day" type="date" defaultValue="2026-05-01" />
          </Field>
        </div>
      </Shown>
      <Shown name="Textarea">
        <div className="grid gap-4 sm:grid-cols-2">
          <Textarea aria-label="Empty text" placeholder="What happened?" />
          <Textarea aria-label="Wrong text" aria-invalid defaultValue="Too long" />
          <Textarea aria-label="Disabled text" disabled defaultValue="Cannot be changed" />
        </div>
      </Shown>
    </>
  )
}
