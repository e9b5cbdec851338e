import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { isPublic, type Article } from '@/data/newsroom/model'
import { useArticleChanges } from '@/data/newsroom/mutations'
import { useDraft } from '@/lib/draft'
import { forgetDraft } from '@/lib/draft-storage'
import { explain } from '@/lib/explain'
import { Button } from '@/ui/button'
import { described, Field } from '@/ui/field'
import { Input } from '@/ui/input'
import { RecordDialog } from '@/ui/record-dialog'
import { Switch } from '@/ui/switch'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '@/ui/tabs'
import { Textarea } from '@/ui/textarea'
import { toast } from '@/ui/toast/toast-state'
import { CoverField } from '@/features/newsroom/components/cover-field'
import { Publication } from '@/features/newsroom/components/publication'
import { Markdown } from '@/features/newsroom/markdown'
import { schemas } from '@/features/newsroom/model'
import { articleSchema } from '@/features/newsroom/schemas'

type EditorProps = { article: Article; userId: string; onDone: () => void }

/** Writes an article. What is published is corrected with a note that readers see; the rest is saved. */
export default function Editor({ article, userId, onDone }: EditorProps) {
  const { form, published, corrects, text, store, saving, problem, setProblem } = useEditing(article, userId)
  const { errors, isDirty } = form.formState
  return (
    <form noValidate className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <h1 className="text-2xl font-bold tracking-tight">{published ? 'Published article' : 'Draft'}</h1>
      <Field id="article-title" label="Title" error={errors.title?.message}>
        <Input maxLength={140} {...described('article-title', errors.title?.message)} {...form.register('title')} />
      </Field>
      <Field id="article-summary" label="Summary" hint="for lists and previews" error={errors.summary?.message}>
        <Textarea
          rows={2}
          className="min-h-18"
          {...described('article-summary', errors.summary?.message)}
          {...form.register('summary')}
        />
      </Field>
      <Body error={errors.body?.message} text={text} field={form.register('body')} />
      <div className="grid gap-5 md:grid-cols-2">
        <Field id="article-tags" label="Tags" hint="with commas" error={errors.tags?.message}>
          <Input {...described('article-tags', errors.tags?.message)} {...form.register('tags')} />
        </Field>
        <CoverField article={article} userId={userId}>
          <Input
            aria-label="What the cover shows"
            placeholder="What it shows, for those who cannot see it"
            maxLength={300}
            {...form.register('cover_alt')}
          />
        </CoverField>
      </div>
      <CommentsSwitch
        open={useWatch({ control: form.control, name: 'comments_open' })}
        onChange={(open) => form.setValue('comments_open', open, { shouldDirty: true })}
      />
      {problem && (
        <p role="alert" className="text-destructive">
          {problem}
        </p>
      )}
      <div className="sticky bottom-0 flex flex-wrap items-center gap-2 border-t border-border bg-background py-3">
        {corrects ? (
          <Correct article={article} store={store} />
        ) : (
          <Button
            variant={published ? 'default' : 'outline'}
            disabled={!isDirty || saving}
            onClick={() => void store().then((stored) => stored && toast({ title: 'Saved', variant: 'success' }))}
          >
            {saving ? 'Saving…' : 'Save'}
          </Button>
        )}
        <Publication article={article} store={() => store()} onProblem={setProblem} onDone={onDone} />
      </div>
    </form>
  )
}

/** What is typed, and how it is saved. */
function useEditing(article: Article, userId: string) {
  const published = isPublic(article)
  const { save, correct } = useArticleChanges(article.id)
  const [problem, setProblem] = useState('')
  const form = useForm({
    resolver: zodResolver(articleSchema),
    defaultValues: {
      title: article.title,
      summary: article.summary,
      body: article.body,
      tags: article.tags.join(', '),
      cover_alt: article.cover_alt,
      comments_open: article.comments_open,
    },
  })
  const change = { id: `article:${userId}:${article.id}`, description: article.title, location: 'Newsroom' }
  useDraft(change, form)

  /** Saves what is typed; whether that worked. */
  async function store(note?: string): Promise<boolean> {
    setProblem('')
    let stored = false
    await form.handleSubmit(async (text) => {
      try {
        const { title, summary, body, ...rest } = text
        if (note) await correct.mutateAsync({ note, title, summary, body })
        await save.mutateAsync(
          published
            ? {
                ...rest,
                title: article.title,
                summary: article.summary,
                body: article.body,
                ...(note ? { title, summary, body } : {}),
              }
            : text,
        )
        forgetDraft(change.id)
        form.reset({ ...text, tags: text.tags.join(', ') })
        stored = true
      } catch (error) {
        setProblem(explain(error, 'The article was not saved. What you typed is kept: try again.'))
      }
    })()
    return stored
  }

  const words = useWatch({ control: form.control, name: ['title', 'summary', 'body'] })
  const corrects = published && words.join('\n') !== [article.title, article.summary, article.body].join('\n')
  return { form, published, corrects, text: words[2], store, saving: save.isPending, problem, setProblem }
}

type CorrectProps = { article: Article; store: (note: string) => Promise<boolean> }

/** Publishes a correction with a note. */
function Correct({ article, store }: CorrectProps) {
  return (
    <RecordDialog
      trigger={<Button>Correct</Button>}
      title="Correct the article"
      text="Readers see under the article what was wrong, and when."
      fields={[{ name: 'note', label: 'What was wrong', type: 'textarea' }]}
      schema={async () => (await schemas()).noteSchema}
      defaults={{ note: '' }}
      draft={`correction:${article.id}`}
      location="Newsroom"
      submit="Publish the correction"
      onSave={async ({ note }) => {
        if (!(await store(note))) throw new Error('The correction was not published. See what the page says.')
        toast({ title: 'Corrected', variant: 'success' })
      }}
    />
  )
}

type BodyProps = { error: string | undefined; text: string; field: ReturnType<ReturnType<typeof useForm>['register']> }

/** The text, and how it will look. */
function Body({ error, text, field }: BodyProps) {
  return (
    <Tabs defaultValue="write">
      <TabsList aria-label="Editor view" className="max-w-60">
        <TabsTrigger value="write">Write</TabsTrigger>
        <TabsTrigger value="preview">Preview</TabsTrigger>
      </TabsList>
      <TabsContent value="write" className="mt-3">
        <Field id="article-body" label="Text" hint="Markdown" error={error}>
          <Textarea rows={16} className="min-h-80 font-mono" {...described('article-body', error)} {...field} />
        </Field>
      </TabsContent>
      <TabsContent value="preview" className="mt-3">
        <div className="min-h-80 rounded-lg border border-border bg-card p-4">
          {text.trim() ? <Markdown text={text} /> : <p className="text-muted-foreground">Nothing written yet.</p>}
        </div>
      </TabsContent>
    </Tabs>
  )
}

function CommentsSwitch({ open, onChange }: { open: boolean; onChange: (open: boolean) => void }) {
  return (
    <div className="flex items-center justify-between gap-4 rounded-lg border border-border bg-card px-4 py-3">
      <span>
        <span id="comments-open" className="block font-medium">
          Comments
        </span>
        <span className="block text-sm text-muted-foreground">
          By adults. Players under 18 neither see nor write them.
        </span>
      </span>
      <Switch aria-labelledby="comments-open" checked={open} onCheckedChange={onChange} />
    </div>
  )
}
