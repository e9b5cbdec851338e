import { FileArchive } from 'lucide-react'
import type { ReactNode } from 'react'
import { useExportData } from '@/data/account/mutations'
import { useSetWardAudience } from '@/data/guardians/mutations'
import type { Guard } from '@/data/security/mutations'
import { day } from '@/lib/format'
import { ageOn, type Ward } from '@/lib/minors'
import { Button } from '@/ui/button'
import { Card } from '@/ui/section'
import { Field } from '@/ui/field'
import { Select } from '@/ui/select'
import { BirthDateDialog } from '@/features/guardians/components/birth-date-dialog'
import { DeleteWardDialog, EndGuardianshipDialog } from '@/features/guardians/components/ending-dialogs'
import { VisibilitySwitch } from '@/features/guardians/components/visibility-switch'
import { AUDIENCES, fileName, isChild, wardVisibility } from '@/features/guardians/model'

type WardCareProps = {
  ward: Ward
  guard: Guard
}

/** What a guardian can do for a ward, shown above the ward's profile. */
export function WardCare({ ward, guard }: WardCareProps) {
  const { ward_id, full_name: name, birth_date, until, guardians } = ward
  const exporting = useExportData({ guard, fileName: `dugout-${fileName(name)}.zip`, wardId: ward_id })
  return (
    <Card
      title="In your care"
      text={wardVisibility(ward)}
      aside={<VisibilitySwitch ward={ward} />}
      className="print:hidden"
    >
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
        <Fact name="Birth date">
          {day(birth_date)} {birth_date && `(${ageOn(birth_date)})`}
        </Fact>
        <Fact name="In your care until">{day(until)}</Fact>
        <Fact name="Guardians">{guardians === 1 ? 'You alone' : `${guardians}, you included`}</Fact>
      </dl>
      {isChild(ward) && !ward.hides_profile && <Audience ward={ward} />}
      <div className="flex flex-wrap gap-3">
        {ward.first && <BirthDateDialog ward={ward} />}
        <Button variant="outline" disabled={exporting.isPending} onClick={() => exporting.mutate()}>
          <FileArchive aria-hidden />
          {exporting.isPending ? 'Collecting…' : 'Download the data'}
        </Button>
        <EndGuardianshipDialog ward={ward} />
        {ward.first && <DeleteWardDialog ward={ward} guard={guard} />}
      </div>
      {!ward.first && (
        <p className="text-sm text-muted-foreground">
          The guardian who accepted first corrects the birth date, and may delete the account.
        </p>
      )}
    </Card>
  )
}

function Audience({ ward: { ward_id, audience, suspended } }: { ward: Ward }) {
  const set = useSetWardAudience()
  return (
    <Field id="ward-audience" label="Who else may open the profile" error={set.problem} className="max-w-sm">
      <Select
        id="ward-audience"
        value={audience}
        disabled={set.isPending || suspended}
        onChange={(event) => set.mutate({ ward_id, audience: event.target.value })}
      >
        {Object.entries(AUDIENCES).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </Select>
    </Field>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-muted-foreground">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
