import { useQuery } from '@tanstack/react-query'
import { GraduationCap, Play, Plus } from 'lucide-react'
import { day } from '@/lib/format'
import { Report } from '@/lib/report'
import { Button } from '@/ui/button'
import { RecordDialog } from '@/ui/record-dialog'
import { RemovalDialog } from '@/ui/removal-dialog'
import { Empty, Row, Section } from '@/ui/section'
import { COMMITMENT_FIELDS, COMMITMENT_STATUS, schemas, today, VIDEO_FIELDS } from '@/features/players/model'
import { useRecords, useRemoveRecord } from '@/data/players/mutations'
import { commitmentsQuery, videosQuery } from '@/data/players/queries'
import { videoHost } from '@/features/players/video-link'

type Props = { playerId: string; editable: boolean }

/** Videos stay where they are; here are the links. */
export function Videos({ playerId, editable }: Props) {
  const query = useQuery(videosQuery(playerId))
  const { addVideo } = useRecords(playerId)
  const remove = useRemoveRecord(playerId, 'videos')
  return (
    <Section
      title="Videos"
      text="Opens in a new tab"
      query={query}
      problem="The videos could not be loaded."
      actions={
        editable && (
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
        )
      }
    >
      {(videos) =>
        videos.length === 0 ? (
          <Empty>{editable ? 'No video yet. One good at-bat says more than a paragraph.' : 'No video yet.'}</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {videos.map(({ id, title, url, recorded_on }) => (
              <Row
                key={id}
                icon={<Play aria-hidden />}
                name={<VideoLink title={title} url={url} />}
                facts={[videoHost(url) ?? 'The link does not work', recorded_on && day(recorded_on)]
                  .filter(Boolean)
                  .join(' · ')}
              >
                {editable && (
                  <RemovalDialog
                    name={title}
                    text="Only the link is taken away; the video stays where it is."
                    pending={remove.isPending}
                    onRemove={() => remove.mutateAsync(id)}
                  />
                )}
                {!editable && <Report subjectKind="video" subjectId={id} subjectUserId={playerId} name={title} />}
              </Row>
            ))}
          </ul>
        )
      }
    </Section>
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

/** Where the player goes next. */
export function Commitments({ playerId, editable }: Props) {
  const query = useQuery(commitmentsQuery(playerId))
  const { addCommitment } = useRecords(playerId)
  const remove = useRemoveRecord(playerId, 'commitments')
  return (
    <Section
      title="Commitments"
      text="Committed to"
      query={query}
      problem="The commitments could not be loaded."
      actions={
        editable && (
          <RecordDialog
            trigger={
              <Button variant="outline" className="print:hidden">
                <Plus aria-hidden />
                Add commitment
              </Button>
            }
            title="Add a commitment"
            text="Everybody who sees your profile sees it."
            fields={COMMITMENT_FIELDS}
            schema={async () => (await schemas()).commitmentSchema}
            defaults={{ program: '', status: 'committed', committed_on: today() }}
            draft={`commitment:${playerId}`}
            location="Player Profile"
            onSave={addCommitment}
          />
        )
      }
    >
      {(commitments) =>
        commitments.length === 0 ? (
          <Empty>Not committed yet.</Empty>
        ) : (
          <ul className="divide-y divide-border">
            {commitments.map(({ id, program, status, committed_on }) => (
              <Row
                key={id}
                icon={<GraduationCap aria-hidden />}
                name={program}
                facts={`${status in COMMITMENT_STATUS ? COMMITMENT_STATUS[status as keyof typeof COMMITMENT_STATUS] : status} · ${day(committed_on)}`}
              >
                {editable && (
                  <RemovalDialog
                    name={program}
                    text="It is taken out of your profile."
                    pending={remove.isPending}
                    onRemove={() => remove.mutateAsync(id)}
                  />
                )}
              </Row>
            ))}
          </ul>
        )
      }
    </Section>
  )
}
