import type { Post } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { draft } from '../data/draft.ts';
import { navigate, paths } from '../router.ts';
import type { Session } from '../session/session.ts';
import { useWarbler } from '../warbler.ts';
import { Icon } from './icons.tsx';
import { Modal } from './modal.tsx';
import { PostOptions } from './post-options.tsx';
import { TextWithLimit } from './text-with-limit.tsx';

/** In code points, as the API counts them. */
const maxPostLength = 400;
const maxPictureBytes = 10_000_000;
/** Pictures take longer than other calls on slow connections. */
const uploadLimitMs = 60_000;
const pictureTypes = ['image/png', 'image/jpeg'];

/** The dialog in which posts are written. */
export function Composer(): VNode {
  const { texts, session, open, notify, report } = useWarbler();
  const { text } = useCell(draft);
  const [isSending, setSending] = useState(false);
  const length = [...text.trim()].length;
  const canSend = !isSending && length > 0 && length <= maxPostLength;

  async function publish(): Promise<void> {
    if (!canSend) return;
    setSending(true);
    try {
      const post = await send(session);
      draft.clear();
      open(undefined);
      session.feed().prepend(post);
      session.posts(post.user.id).prepend(post);
      notify(texts.compose.published, { label: texts.compose.show, act: () => navigate(paths.post(post.id)) });
    } catch (error) {
      report(error);
      setSending(false);
    }
  }

  return (
    <Modal title={texts.compose.title} closeLabel={texts.compose.close} kind="compose" onClose={() => open(undefined)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void publish();
        }}
      >
        <TextWithLimit
          label={texts.compose.label}
          hint={texts.compose.hint}
          value={text}
          limit={maxPostLength}
          rows={5}
          onChange={(changed) => draft.change({ text: changed })}
          onSend={() => void publish()}
          onFile={choosePicture(texts.compose, notify)}
        />
        <PictureAndOptions />
        <p class="modal-actions">
          <PicturePicker onPick={choosePicture(texts.compose, notify)} />
          <button type="submit" class="primary" disabled={!canSend}>
            {isSending ? texts.compose.publishing : texts.compose.publish}
          </button>
        </p>
      </form>
    </Modal>
  );
}

/** Uploads the picture, if any, and publishes the post. Sending the same draft again creates nothing twice. */
async function send({ linnet }: Session): Promise<Post> {
  const { text, picture, commenters, sensitive, key } = draft.get();
  const message = text.trim();
  if (picture === undefined) return (await linnet.posts.create({ message, commenters }, { idempotencyKey: key })).items;
  const upload = await linnet.media.upload(
    { media: picture },
    { idempotencyKey: `${key}-picture`, timeLimitMs: uploadLimitMs },
  );
  const { media_id: media } = upload.finally;
  return (await linnet.posts.create({ message, media, commenters, sensitive }, { idempotencyKey: key })).items;
}

/** Takes a file as the picture, unless the service would refuse it. */
function choosePicture(
  texts: { readonly wrongType: string; readonly tooLarge: string },
  notify: (text: string) => void,
): (file: File) => void {
  return (file) => {
    if (!pictureTypes.includes(file.type)) notify(texts.wrongType);
    else if (file.size > maxPictureBytes) notify(texts.tooLarge);
    else draft.change({ picture: file });
  };
}

function PicturePicker({ onPick }: { readonly onPick: (file: File) => void }): VNode {
  const { texts } = useWarbler();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" class="quiet with-icon" onClick={() => input.current?.click()}>
        <Icon name="picture" />
        {texts.compose.addPicture}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={pictureTypes.join(',')}
        aria-label={texts.compose.addPicture}
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          if (file !== undefined) onPick(file);
          currentTarget.value = '';
        }}
      />
    </>
  );
}

function PictureAndOptions(): VNode {
  const { picture } = useCell(draft);
  return (
    <>
      {picture !== undefined && <Preview picture={picture} />}
      <PostOptions />
    </>
  );
}

function Preview({ picture }: { readonly picture: File }): VNode {
  const { texts } = useWarbler();
  const [source, setSource] = useState('');
  useEffect(() => {
    const url = URL.createObjectURL(picture);
    setSource(url);
    return () => URL.revokeObjectURL(url);
  }, [picture]);
  return (
    <div class="preview">
      {source !== '' && <img src={source} alt={texts.compose.preview} />}
      <button
        type="button"
        class="round"
        aria-label={texts.compose.removePicture}
        onClick={() => draft.change({ picture: undefined })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
