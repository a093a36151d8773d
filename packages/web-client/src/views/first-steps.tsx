import type { Hashtag, SuggestedAccount } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useWritten } from '../data/draft.ts';
import { useClient } from '../client.ts';
import { Hashtags } from '../parts/hashtags.tsx';
import { PictureChoice } from '../parts/picture-choice.tsx';
import { FollowRow } from './profile-lists.tsx';
import { keepPerson } from '../session/person.ts';

const doneKey = 'linnet-client-started';
const shownPeople = 5;

interface Start {
  readonly needsProfile: boolean;
  readonly people: readonly SuggestedAccount[];
  readonly hashtags: readonly Hashtag[];
}

/** What a new person can do first, above the feed. It is there until they close it, have a profile and follow people. */
export function FirstSteps(): VNode | null {
  const { texts, session, report } = useClient();
  const [start, setStart] = useState<Start>();
  const { linnet, person } = session;
  const load = async () => {
    const account = await linnet.users.show();
    if (account.action.following > 0 && account.description !== '') return;
    const [people, hashtags] = await Promise.all([linnet.users.suggested({ count: shownPeople }), session.trending()]);
    setStart({ needsProfile: account.description === '', people: people.items, hashtags });
  };
  useEffect(() => {
    if (localStorage.getItem(doneKey) !== String(person.id)) load().catch(report);
  }, []);
  if (start === undefined) return null;
  const { first } = texts;
  const close = () => {
    localStorage.setItem(doneKey, String(person.id));
    setStart(undefined);
  };
  return (
    <section class="first-steps" aria-labelledby="first-steps">
      <h2 id="first-steps">{first.title}</h2>
      {start.needsProfile && <ProfileForm />}
      {start.people.length > 0 && (
        <>
          <h3>{first.people}</h3>
          <ul class="list">
            {start.people.map((account) => (
              <li key={account.id}>
                <FollowRow account={account} />
              </li>
            ))}
          </ul>
        </>
      )}
      {start.hashtags.length > 0 && (
        <>
          <h3>{first.hashtags}</h3>
          <Hashtags hashtags={start.hashtags} />
        </>
      )}
      <button type="button" class="quiet" onClick={close}>
        {first.close}
      </button>
    </section>
  );
}

/** A picture and a few words; the rest is in the settings of the account. */
function ProfileForm(): VNode | null {
  const { texts, session, notify, report } = useClient();
  const [picture, setPicture] = useState<File>();
  const [description, setDescription] = useWritten('bio');
  const [state, setState] = useState<'open' | 'saving' | 'saved'>('open');
  const { first } = texts;
  const { linnet } = session;
  const isEmpty = picture === undefined && description.trim() === '';
  const save = async () => {
    setState('saving');
    try {
      const avatar = picture === undefined ? undefined : (await linnet.media.upload({ media: picture })).media_id;
      await linnet.account.update({
        ...(description.trim() === '' ? {} : { description: description.trim() }),
        avatar,
      });
      keepPerson(await linnet.users.show());
      setDescription('');
      setState('saved');
      notify(texts.post.saved);
    } catch (error) {
      setState('open');
      report(error);
    }
  };
  if (state === 'saved') return null;
  return (
    <form
      class="first-profile"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h3>{first.profile}</h3>
      <PictureChoice picture={picture} choose={setPicture} />
      <Bio text={description} onChange={setDescription} />
      <button type="submit" class="primary" disabled={state === 'saving' || isEmpty}>
        {texts.post.save}
      </button>
    </form>
  );
}

function Bio({ text, onChange }: { readonly text: string; readonly onChange: (text: string) => void }): VNode {
  const { first } = useClient().texts;
  return (
    <label class="bio">
      {first.bio}
      <textarea rows={2} maxLength={160} value={text} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}
