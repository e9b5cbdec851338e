import { Chart } from '@/ui/chart'
import { Crest } from '@/ui/crest'
import { DiamondArt } from '@/ui/diamond-art'
import { Evidence } from '@/ui/evidence'
import { Face } from '@/ui/face'
import { Figure } from '@/ui/figure'
import { Highlighted } from '@/ui/highlighted'
import { JerseyTile } from '@/ui/jersey-tile'
import { Logo, LogoMark } from '@/ui/logo'
import { PercentileChip } from '@/ui/percentile-chip'
import { PercentileSlider } from '@/ui/percentile-slider'
import { ShareBar } from '@/ui/share-bar'
import { Sparkline, trailWords } from '@/ui/sparkline'
import { Shown, State } from '@/design/shown'

const NAME = 'Mateo Whitaker'
const PICTURE = '/favicon.svg'
const DAYS = [
  { day: 'Mon', views: 12, sessions: 4 },
  { day: 'Tue', views: 30, sessions: 9 },
  { day: 'Wed', views: null, sessions: 7 },
  { day: 'Thu', views: 22, sessions: 11 },
]

/** People, teams and numbers. */
export function Figures() {
  return (
    <>
      <Shown name="Face">
        <State name="initials">
          {([24, 32, 40, 84] as const).map((size) => (
            <Face key={size} name={NAME} url={undefined} size={size} />
          ))}
        </State>
        <State name="a picture, and one that does not load">
          <Face name={NAME} url={PICTURE} size={84} alt={NAME} />
          <Face name={NAME} url="/nothing.jpg" size={84} />
        </State>
      </Shown>
      <Shown name="Jersey tile">
        <State name="small, large">
          <JerseyTile name={NAME} className="size-6 text-[9px]" />
          <JerseyTile name={NAME} className="size-10 text-sm" />
        </State>
      </Shown>
      <Shown name="Crest">
        <State name="a letter, a logo, one that does not load">
          <Crest name="Herons" url={undefined} size={40} />
          <Crest name="Herons" url={undefined} size={56} />
          <Crest name="Herons" url={PICTURE} size={56} />
          <Crest name="Herons" url="/nothing.jpg" size={56} />
        </State>
      </Shown>
      <Numbers />
      <Shown name="Highlighted">
        <p>
          <Highlighted
            parts={[
              { text: 'Mat', hit: true },
              { text: 'eo Whitaker', hit: false },
            ]}
          />
        </p>
      </Shown>
      <Charts />
      <Shown name="Logo and diamond">
        <div className="flex items-center gap-6 rounded-xl bg-night p-4 text-night-foreground">
          <Logo />
          <LogoMark className="size-10" />
          <DiamondArt className="h-24" />
        </div>
      </Shown>
    </>
  )
}

function Numbers() {
  return (
    <>
      <Shown name="Evidence">
        <State name="event, coach, device, scorebook, self; verified or not">
          {['event', 'coach', 'device', 'scorebook', 'self'].map((source) => (
            <span key={source} className="flex gap-1">
              <Evidence source={source} verified />
              <Evidence source={source} verified={false} />
            </span>
          ))}
        </State>
      </Shown>
      <Shown name="Percentile chip">
        <State name="the nine steps">
          {[1, 17, 28, 39, 50, 61, 72, 83, 99].map((percentile) => (
            <PercentileChip key={percentile} percentile={percentile} />
          ))}
        </State>
      </Shown>
      <Shown name="Percentile slider">
        <div className="grid w-60 gap-2">
          {[0, 35, 50, 88, 100].map((percentile) => (
            <PercentileSlider key={percentile} percentile={percentile} />
          ))}
          <PercentileSlider percentile={41} few />
          <PercentileSlider percentile={72} stale />
        </div>
      </Shown>
      <Shown name="Sparkline">
        <State name="rising, falling, level">
          {[
            [0.28, 0.27, 0.31, 0.33, 0.34],
            [94, 93.5, 93.8, 92, 91.5, 91],
            [7.1, 7.1, 7.1, 7.1, 7.1],
          ].map((values) => (
            <Sparkline key={values[0]} values={values} label={trailWords(values, String)} />
          ))}
        </State>
      </Shown>
      <Shown name="Share bar">
        <div className="grid w-60 gap-2">
          {[0, 35, 100].map((percent) => (
            <ShareBar key={percent} percent={percent} />
          ))}
        </div>
      </Shown>
      <Shown name="Figure">
        <dl className="flex gap-6">
          <Figure name="Exit velocity" value="86.3 mph" />
          <Figure name="Spin" value="—" />
        </dl>
      </Shown>
    </>
  )
}

function Charts() {
  return (
    <Shown name="Chart">
      <div className="grid gap-6 md:grid-cols-2">
        <Chart
          label="Page views and sessions by day"
          data={DAYS}
          x="day"
          series={[
            { key: 'views', label: 'Page views' },
            { key: 'sessions', label: 'Sessions' },
          ]}
        />
        <Chart
          label="Page views by day"
          kind="bar"
          data={DAYS}
          x="day"
          series={[{ key: 'views', label: 'Page views' }]}
        />
      </div>
    </Shown>
  )
}
