import type { Draft } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { maxPostLength } from '../data/draft.ts';
import { TextWithLimit } from '../parts/text-with-limit.tsx';
import { paths } from '../router.ts';
import { PageHead } from './page-head.tsx';

const maxCommentLength = 1000;

/** What applications propose, and what the person has not published yet. */
export function DraftsPage(): VNode {
  const { texts, session, report } = useClient();
  const [drafts, setDrafts] = useState<readonly Draft[]>();
  const load = () => {
    const waiting = (['proposed', 'draft'] as const).map((status) => session.linnet.drafts.list({ status }));
    Promise.all(waiting).then((lists) => setDrafts(lists.flatMap(({ items }) => items)), report);
  };
  useEffect(load, [session]);
  return (
    <>
      <PageHead title={texts.drafts.title} hasBack />
      <p class="page-lead">{texts.drafts.lead}</p>
      <ul class="filters" aria-label={texts.drafts.title}>
        {drafts?.map((draft) => (
          <DraftRow key={`${String(draft.id)} ${String(draft.version)}`} draft={draft} onChanged={load} />
        ))}
      </ul>
      {drafts?.length === 0 && <p class="empty">{texts.drafts.empty}</p>}
    </>
  );
}

interface DraftProps {
  readonly draft: Draft;
  readonly onChanged: () => void;
}

function DraftRow({ draft, onChanged }: DraftProps): VNode {
  const { texts, session, report } = useClient();
  const { id, call, parameters, application } = draft;
  const { message, text = message, item_id, attachments } = parameters;
  const post = item_id === undefined ? undefined : paths.post(item_id);
  return (
    <li class="draft">
      <p class="username">
        {texts.drafts.calls[call]}
        {post !== undefined && (
          <>
            {' · '}
            <a href={post}>{texts.compose.show}</a>
          </>
        )}
        {application !== undefined && ` · ${texts.drafts.by(application.name)}`}
      </p>
      {text !== undefined && <DraftText draft={draft} text={text} onChanged={onChanged} />}
      {call === '/follows/add' && <Followed id={parameters.id ?? 0} />}
      {attachments?.map((picture) => (
        <DraftPicture key={picture} id={picture} />
      ))}
      <Decision draft={draft} decide={(act) => void act(session.linnet.drafts, id).catch(report).finally(onChanged)} />
    </li>
  );
}

type Drafts = ReturnType<typeof useClient>['session']['linnet']['drafts'];

interface DecisionProps {
  readonly draft: Draft;
  readonly decide: (act: (drafts: Drafts, id: number) => Promise<unknown>) => void;
}

/** A proposal can be rejected with a word, a draft of the person deleted. */
function Decision({ draft: { version, status }, decide }: DecisionProps): VNode {
  const { texts } = useClient();
  const [reason, setReason] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        decide((drafts, id) => (status === 'proposed' ? drafts.reject({ id, reason }) : drafts.delete({ id })));
      }}
    >
      {status === 'proposed' && (
        <label>
          {texts.drafts.reason}
          <input maxLength={500} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
        </label>
      )}
      <p class="modal-actions">
        <button type="submit" class="quiet">
          {status === 'proposed' ? texts.requests.reject : texts.post.delete}
        </button>
        <button type="button" class="primary" onClick={() => decide((drafts, id) => drafts.publish({ id, version }))}>
          {status === 'proposed' ? texts.drafts.accept : texts.compose.publish}
        </button>
      </p>
    </form>
  );
}

/** The text, which the person can edit in its place. */
function DraftText({ draft, text, onChanged }: DraftProps & { readonly text: string }): VNode {
  const { texts, session, report } = useClient();
  const [edited, setEdited] = useState(text);
  const { id, version, call, parameters } = draft;
  const isPost = call === '/post/create';
  const { commenters, sensitive, attachments, parent_id } = parameters;
  const changed = isPost ? { message: edited, commenters, sensitive, attachments } : { text: edited, parent_id };
  const save = () => {
    void session.linnet.drafts
      .update({ id, version, ...changed })
      .catch(report)
      .finally(onChanged);
  };
  return (
    <>
      <TextWithLimit
        label={texts.compose.label}
        hint={texts.compose.hint}
        value={edited}
        limit={isPost ? maxPostLength : maxCommentLength}
        rows={3}
        onChange={setEdited}
        onSend={save}
      />
      {edited.trim() !== text && (
        <button type="button" class="quiet" onClick={save}>
          {texts.post.save}
        </button>
      )}
    </>
  );
}

function DraftPicture({ id }: { readonly id: number }): VNode | null {
  const { session } = useClient();
  const [picture, setPicture] = useState<{ readonly alt: string; readonly thumbnail: string }>();
  useEffect(() => {
    // Without its picture, the draft can still be decided about.
    session.linnet.media.show({ id }).then(
      ({ alt, media }) => setPicture({ alt, thumbnail: media.image ?? '' }),
      () => undefined,
    );
  }, [id]);
  return picture === undefined ? null : <img src={picture.thumbnail} alt={picture.alt} />;
}

function Followed({ id }: { readonly id: number }): VNode | null {
  const { session } = useClient();
  const [username, setUsername] = useState<string>();
  useEffect(() => {
    session.linnet.users.show({ id }).then(
      (account) => setUsername(account.username),
      () => undefined,
    );
  }, [id]);
  return username === undefined ? null : <a href={paths.profile(username)}>@{username}</a>;
}
