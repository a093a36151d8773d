import type { Draft } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useClient } from '../client.ts';
import { maxPostLength, useWritten } from '../data/draft.ts';
import { describeFailure } from '../data/problem-text.ts';
import { TimeField, describeTime, toLocal, toTime, tomorrow } from '../parts/end-choice.tsx';
import { TextWithLimit } from '../parts/text-with-limit.tsx';
import { paths } from '../router.ts';
import { PageHead } from './page-head.tsx';

const maxCommentLength = 1000;

/** What applications propose, and what the person has not published yet. */
export function DraftsPage(): VNode {
  const { texts, session, open, report } = useClient();
  const [drafts, setDrafts] = useState<readonly Draft[]>();
  const load = () => {
    const waiting = (['proposed', 'scheduled', 'draft'] as const).map((status) =>
      session.linnet.drafts.list({ status }),
    );
    Promise.all(waiting).then((lists) => {
      setDrafts(lists.flatMap(({ items }) => items));
      session.proposals.set(lists[0]?.total ?? 0);
    }, report);
  };
  useEffect(load, [session]);
  return (
    <>
      <PageHead title={texts.drafts.title} hasBack />
      <p class="page-lead">{texts.drafts.lead}</p>
      <ul class="filters" aria-label={texts.drafts.title}>
        {drafts?.map((draft) => (
          <DraftRow key={keyOf(draft)} draft={draft} onChanged={load} />
        ))}
      </ul>
      {drafts?.length === 0 && (
        <div class="empty">
          <p class="empty-title">{texts.drafts.empty}</p>
          <button type="button" class="quiet" onClick={() => open('compose')}>
            {texts.navigation.compose}
          </button>
        </div>
      )}
    </>
  );
}

/** Another one after each change, so that nothing is left of what the person chose. */
const keyOf = ({ id, version, status, publish_at = '' }: Draft) =>
  `${String(id)} ${String(version)} ${status} ${publish_at}`;

interface DraftProps {
  readonly draft: Draft;
  readonly onChanged: () => void;
}

/** What a person does with a draft. Its text can be edited in place: what is published is what they see. */
function useDraft({ draft, onChanged }: DraftProps) {
  const { session, report } = useClient();
  const { id, version, parameters } = draft;
  const { message, text = message } = parameters;
  const [written, setEdited] = useWritten(`draft ${String(id)} ${String(version)}`, text);
  const edited = text === undefined ? undefined : written;
  const { drafts } = session.linnet;
  const isEdited = edited?.trim() !== text;
  const update = async () =>
    isEdited ? await drafts.update({ id, version, ...changedParameters(draft, edited) }) : { version };
  const act = (work: () => Promise<unknown>) => void work().catch(report).finally(onChanged);
  return {
    id,
    edited,
    setEdited,
    isEdited,
    save: () => act(update),
    publish: () => act(async () => await drafts.publish({ id, version: (await update()).version })),
    schedule: (publish_at: string) =>
      act(async () => await drafts.schedule({ id, version: (await update()).version, publish_at })),
    unschedule: () => act(async () => await drafts.schedule({ id })),
    reject: (reason: string) => act(async () => await drafts.reject({ id, reason })),
    remove: () => act(async () => await drafts.delete({ id })),
  };
}

/** An update replaces all parameters. */
function changedParameters({ call, parameters }: Draft, edited: string | undefined) {
  const { commenters, sensitive, attachments, quote_id, parent_id } = parameters;
  return call === '/post/create'
    ? { message: edited, commenters, sensitive, attachments, quote_id }
    : { text: edited, parent_id };
}

function DraftRow(props: DraftProps): VNode {
  const { texts } = useClient();
  const { call, parameters, application } = props.draft;
  const { item_id, quote_id, attachments } = parameters;
  const own = useDraft(props);
  return (
    <li class="draft">
      <p class="username">
        {texts.drafts.calls[call]}
        {item_id !== undefined && (
          <>
            {' · '}
            <a href={paths.post(item_id)}>{texts.compose.show}</a>
          </>
        )}
        {quote_id !== undefined && (
          <>
            {' · '}
            <a href={paths.post(quote_id)}>{texts.quotes.quoted}</a>
          </>
        )}
        {application !== undefined && ` · ${texts.drafts.by(application.name)}`}
      </p>
      <DraftText {...own} limit={call === '/post/create' ? maxPostLength : maxCommentLength} />
      {call === '/follows/add' && <Followed id={parameters.id ?? 0} />}
      {attachments?.map((picture) => (
        <DraftPicture key={picture} id={picture} />
      ))}
      <State draft={props.draft} />
      <Time {...own} draft={props.draft} />
      <Decision {...own} status={props.draft.status} />
    </li>
  );
}

type OwnDraft = ReturnType<typeof useDraft>;

function DraftText({ edited, setEdited, isEdited, save, limit }: OwnDraft & { readonly limit: number }): VNode | null {
  const { texts } = useClient();
  if (edited === undefined) return null;
  return (
    <>
      <TextWithLimit
        label={texts.compose.label}
        hint={texts.compose.hint}
        value={edited}
        limit={limit}
        rows={3}
        onChange={setEdited}
        onSend={save}
      />
      {isEdited && (
        <button type="button" class="quiet" onClick={save}>
          {texts.post.save}
        </button>
      )}
    </>
  );
}

/** When it is published, or why it was not. */
function State({ draft: { status, publish_at, failure } }: Pick<DraftProps, 'draft'>): VNode | null {
  const { texts, language, settings } = useClient();
  if (failure !== undefined) {
    const why = describeFailure(failure, { texts, serviceName: settings.serviceName });
    return <p class="error">{`${texts.drafts.failed} ${why}`}</p>;
  }
  if (publish_at === undefined) return null;
  const when = describeTime(publish_at, language);
  return <p>{status === 'scheduled' ? texts.drafts.scheduled(when) : texts.drafts.suggested(when)}</p>;
}

/** Lets the person choose when it is published, at first as the application that proposed it suggests. */
function Time({ draft, schedule, unschedule }: OwnDraft & Pick<DraftProps, 'draft'>): VNode {
  const { texts } = useClient();
  const { status, publish_at } = draft;
  const [local, setLocal] = useState('');
  const time = toTime(local);
  const suggested = publish_at === undefined ? '' : toLocal(new Date(publish_at));
  const isScheduled = status === 'scheduled';
  if (local === '') {
    return (
      <p class="modal-actions publish-time">
        {isScheduled && (
          <button type="button" class="quiet" onClick={unschedule}>
            {texts.drafts.unschedule}
          </button>
        )}
        <button
          type="button"
          class="quiet"
          onClick={() => setLocal(toTime(suggested) === undefined ? tomorrow() : suggested)}
        >
          {isScheduled ? texts.drafts.changeTime : texts.drafts.later}
        </button>
      </p>
    );
  }
  return (
    <p class="modal-actions publish-time">
      <TimeField label={texts.drafts.at} value={local} change={setLocal} />
      <button
        type="button"
        class="primary"
        disabled={time === undefined}
        onClick={() => time !== undefined && schedule(time)}
      >
        {texts.drafts.schedule}
      </button>
    </p>
  );
}

/** A proposal can be rejected with a word, a draft of the person deleted. */
function Decision({ id, publish, reject, remove, status }: OwnDraft & Pick<Draft, 'status'>): VNode {
  const { texts } = useClient();
  const isProposal = status === 'proposed';
  const publishText = status === 'scheduled' ? texts.drafts.now : texts.compose.publish;
  const [reason, setReason] = useWritten(`reject ${String(id)}`);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isProposal) reject(reason);
        else remove();
      }}
    >
      {isProposal && (
        <label>
          {texts.drafts.reason}
          <input maxLength={500} value={reason} onInput={({ currentTarget }) => setReason(currentTarget.value)} />
        </label>
      )}
      <p class="modal-actions">
        <button type="submit" class="quiet">
          {isProposal ? texts.requests.reject : texts.post.delete}
        </button>
        <button type="button" class="primary" onClick={publish}>
          {isProposal ? texts.drafts.accept : publishText}
        </button>
      </p>
    </form>
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
