import { useQuery } from '@tanstack/react-query'
import { Play, Plus } from 'lucide-react'
import { Suspense, useState } from 'react'
import { mayKeepFilesQuery } from '@/data/media/queries'
import { useRecords, useRemoveRecord } from '@/data/players/mutations'
import { videosQuery } from '@/data/players/queries'
import { day } from '@/lib/format'
import { lazyScreen } from '@/lib/lazy-screen'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Row, Section, Skeleton } from '@/ui/section'
import { UploadProgress } from '@/features/players/components/upload-progress'
import { UploadVideo } from '@/features/players/components/upload-video'
import { schemas, VIDEO_FIELDS } from '@/features/players/model'
import { videoHost } from '@/features/players/video-link'

const VideoPlayer = lazyScreen(() =>
  import('@/features/players/components/video-player').then(({ VideoPlayer }) => ({ default: VideoPlayer })),
)

type Props = { playerId: string; editable: boolean }

/** Videos of a player: uploaded ones, which play here, and links to others. */
export function Videos({ playerId, editable }: Props) {
  const query = useQuery(videosQuery(playerId))
  const { data: kept = false } = useQuery({ ...mayKeepFilesQuery(playerId), enabled: editable })
  const { addVideo } = useRecords(playerId)
  return (
    <Section
      title="Videos"
      text="Uploaded ones play here, links open in a new tab."
      query={query}
      problem="The videos could not be loaded."
      actions={
        editable && (
          <>
            {kept && <UploadVideo playerId={playerId} />}
            <RecordDialog
              trigger={
                <Button variant="outline" className="print:hidden">
                  <Plus aria-hidden />
                  Add video
                </Button>
              }
              title="Add a video"
              text="Paste the link of a video that others may watch."
              fields={VIDEO_FIELDS}
              schema={async () => (await schemas()).videoSchema}
              defaults={{ title: '', url: '', recorded_on: '' }}
              draft={`video:${playerId}`}
              location="Player Profile"
              onSave={addVideo}
            />
          </>
        )
      }
    >
      {(videos) => (
        <>
          {editable && <UploadProgress playerId={playerId} />}
          {videos.length === 0 ? (
            <Empty>{editable ? 'No video yet. One good at-bat says more than a paragraph.' : 'No video yet.'}</Empty>
          ) : (
            <ul className="divide-y divide-border">
              {videos.map((video) => (
                <VideoRow key={video.id} playerId={playerId} editable={editable} video={video} />
              ))}
            </ul>
          )}
        </>
      )}
    </Section>
  )
}

type Video = { id: string; title: string; url: string | null; path: string | null; recorded_on: string | null }

function VideoRow({ playerId, editable, video }: Props & { video: Video }) {
  const { id, title, url, path, recorded_on } = video
  const remove = useRemoveRecord(playerId, 'videos')
  const [open, setOpen] = useState(false)
  const kind = path ? 'Uploaded' : (videoHost(url ?? '') ?? 'The link does not work')
  return (
    <Row
      icon={<Play aria-hidden />}
      name={path ? title : <VideoLink title={title} url={url ?? ''} />}
      facts={[kind, recorded_on && day(recorded_on)].filter(Boolean).join(' · ')}
      below={
        path &&
        open && (
          <Suspense fallback={<Skeleton className="aspect-video w-full rounded-xl" />}>
            <VideoPlayer playerId={playerId} path={path} title={title} />
          </Suspense>
        )
      }
    >
      {path && (
        <Button
          variant="outline"
          size="sm"
          className="print:hidden"
          aria-expanded={open}
          aria-label={`${open ? 'Close' : 'Watch'} ${title}`}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Close' : 'Watch'}
        </Button>
      )}
      {editable && (
        <RemovalDialog
          name={title}
          text={path ? 'The file is deleted.' : 'Only the link is taken away; the video stays where it is.'}
          pending={remove.isPending}
          onRemove={() => remove.mutateAsync(id)}
        />
      )}
      {!editable && <Report subjectKind="video" subjectId={id} subjectUserId={playerId} name={title} />}
    </Row>
  )
}

function VideoLink({ title, url }: { title: string; url: string }) {
  if (videoHost(url) === null) return title
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="text-primary underline underline-offset-4"
    >
      {title}
    </a>
  )
}
