import type { Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { draft, maxPostLength } from '../data/draft.ts';
import type { Texts } from '../i18n/en.ts';
import { navigate, paths } from '../router.ts';
import type { Session } from '../session/session.ts';
import { useClient } from '../client.ts';
import { TimeField, describeTime, toTime, tomorrow } from './end-choice.tsx';
import { ComposedPictures, PicturePicker, usePictures } from './compose-pictures.tsx';
import { Modal } from './modal.tsx';
import { QuotedPost } from './post-card.tsx';
import { PostOptions } from './post-options.tsx';
import { TextWithLimit } from './text-with-limit.tsx';

/** Pictures take longer than other calls on slow connections. */
const uploadLimitMs = 60_000;

/** Publishes or keeps what is written, and closes the dialog; after a problem it stays. */
function useFinish() {
  const { texts, language, session, open, notify, report } = useClient();
  const [isSending, setSending] = useState(false);
  async function finish(act: () => Promise<void>): Promise<void> {
    setSending(true);
    try {
      await act();
      draft.clear();
      open(undefined);
    } catch (error) {
      report(error);
      setSending(false);
    }
  }
  const publish = async () => {
    const post = await send(session);
    show(session, post);
    notify(texts.compose.published, { label: texts.compose.show, act: () => navigate(paths.post(post.id)) });
  };
  const save = async (publishAt?: string) => {
    await keep(session, publishAt);
    const said =
      publishAt === undefined ? texts.drafts.saved : texts.drafts.scheduled(describeTime(publishAt, language));
    notify(said, { label: texts.compose.show, act: () => navigate(paths.drafts) });
  };
  return {
    isSending,
    publish: () => void finish(publish),
    save: (publishAt?: string) => void finish(async () => await save(publishAt)),
  };
}

/** The dialog in which posts are written. */
export function Composer(): VNode {
  const { texts, open } = useClient();
  const { text, publishAt } = useCell(draft);
  const addPictures = usePictures();
  const { isSending, publish, save } = useFinish();
  const length = [...text.trim()].length;
  const canSend = !isSending && length > 0 && length <= maxPostLength;
  const time = toTime(publishAt);
  const canPublish = canSend && (publishAt === '' || time !== undefined);
  const publishIfPossible = () => {
    if (!canPublish) return;
    if (time === undefined) publish();
    else save(time);
  };
  return (
    <Modal title={texts.compose.title} closeLabel={texts.compose.close} kind="compose" onClose={() => open(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          publishIfPossible();
        }}
      >
        <TextWithLimit
          label={texts.compose.label}
          hint={texts.compose.hint}
          value={text}
          limit={maxPostLength}
          rows={5}
          onChange={(changed) => draft.change({ text: changed })}
          onSend={publishIfPossible}
          onFiles={addPictures}
        />
        <PicturesAndOptions />
        <p class="modal-actions">
          <button type="button" class="quiet" disabled={!canSend} onClick={() => save()}>
            {texts.drafts.save}
          </button>
          <button type="submit" class="primary" disabled={!canPublish}>
            {submitText(texts, { isSending, isLater: publishAt !== '' })}
          </button>
        </p>
      </form>
    </Modal>
  );
}

function submitText(
  { compose, drafts }: Texts,
  { isSending, isLater }: Readonly<Record<'isSending' | 'isLater', boolean>>,
) {
  if (isSending) return compose.publishing;
  return isLater ? drafts.schedule : compose.publish;
}

const setTime = (publishAt: string) => draft.change({ publishAt });

/** Pictures, and when the post is published: at once, unless the person asks for another time. */
function PicturesAndTime(): VNode {
  const { drafts } = useClient().texts;
  const { publishAt } = useCell(draft);
  return (
    <p class="modal-actions publish-time">
      <PicturePicker />
      {publishAt === '' ? (
        <button type="button" class="quiet" onClick={() => setTime(tomorrow())}>
          {drafts.later}
        </button>
      ) : (
        <TimeField label={drafts.at} value={publishAt} change={setTime} />
      )}
    </p>
  );
}

function PicturesAndOptions(): VNode {
  const written = useCell(draft);
  return (
    <>
      <ComposedPictures />
      <ComposedQuote />
      <PostOptions chosen={written} hasPictures={written.pictures.length > 0} change={draft.change} />
      <PicturesAndTime />
    </>
  );
}

function ComposedQuote(): VNode | null {
  const { texts } = useClient();
  const { quote } = useCell(draft);
  if (quote === undefined) return null;
  return (
    <>
      <QuotedPost quote={{ status: 'available', post: quote }} onExpired={() => undefined} />
      <button type="button" class="quiet" onClick={() => draft.change({ quote: undefined })}>
        {texts.quotes.remove}
      </button>
    </>
  );
}

/** Adds a new post to the lists that have it. */
function show(session: Session, post: Post): void {
  session.feed().prepend(post);
  session.posts(post.user.id).prepend(post);
}

/** Publishes the post. Sending the same draft again creates nothing twice. */
async function send(session: Session): Promise<Post> {
  const { key } = draft.get();
  return await session.linnet.posts.create(await upload(session), { idempotencyKey: key });
}

/** Keeps it as a draft on the service, which publishes it if it has a time. */
async function keep(session: Session, publish_at: string | undefined): Promise<void> {
  const { key } = draft.get();
  await session.linnet.drafts.create({ ...(await upload(session)), publish_at }, { idempotencyKey: `${key}-draft` });
}

/** Uploads the pictures. Returns the parameters of the post. */
async function upload({ linnet }: Session) {
  const { text, pictures, quote, commenters, sensitive, key } = draft.get();
  const message = text.trim();
  const attachments: number[] = [];
  for (const [index, { file, alt }] of pictures.entries()) {
    const uploaded = await linnet.media.upload(
      { media: file, alt: alt.trim() },
      { idempotencyKey: `${key}-picture-${String(index)}`, timeLimitMs: uploadLimitMs },
    );
    attachments.push(uploaded.media_id);
  }
  const post = { message, commenters, ...(quote === undefined ? {} : { quote_id: quote.id }) };
  return attachments.length === 0 ? post : { ...post, attachments, sensitive };
}
