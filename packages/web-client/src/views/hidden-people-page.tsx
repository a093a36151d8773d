import type { Account } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';

import type { PagedList } from '../data/paged-list.ts';
import { AccountRow } from '../parts/account-row.tsx';
import { describeTime } from '../parts/end-choice.tsx';
import { Empty } from '../parts/empty.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { PageHead } from './page-head.tsx';

/** Whom the person has muted at the moment. */
export function MutedPage(): VNode {
  const { texts, session, notify, report, language } = useClient();
  const list = useMemo(() => session.muted(), [session]);
  const unmute = async ({ id, username }: Account) => {
    await session.linnet.mutes.delete({ id });
    list.remove((one) => one.id === id);
    session.resetPosts();
    notify(texts.safety.unmuted(username));
  };
  return (
    <HiddenPeople
      texts={texts.muted}
      list={list}
      undo={texts.safety.unmute}
      onUndo={(account) => void unmute(account).catch(report)}
      describe={({ mute }) => mute && texts.filters.until(describeTime(mute.ends_at, language))}
    />
  );
}

/** Whom the person blocks. */
export function BlockedPage(): VNode {
  const { texts, session, notify, report } = useClient();
  const list = useMemo(() => session.blocked(), [session]);
  const unblock = async ({ id, username }: Account) => {
    await session.linnet.blocks.delete({ id });
    list.remove((one) => one.id === id);
    session.resetPosts();
    notify(texts.safety.unblocked(username));
  };
  return (
    <HiddenPeople
      texts={texts.blocked}
      list={list}
      undo={texts.safety.unblock}
      onUndo={(account) => void unblock(account).catch(report)}
    />
  );
}

interface HiddenPeopleProps<Person extends Account> {
  readonly texts: { readonly title: string; readonly lead: string; readonly empty: string };
  readonly list: PagedList<Person>;
  readonly undo: string;
  readonly onUndo: (account: Person) => void;
  /** More about the row, such as its end. */
  readonly describe?: (account: Person) => string | undefined;
}

function HiddenPeople<Person extends Account>(props: HiddenPeopleProps<Person>): VNode {
  const { texts, list, undo, onUndo, describe } = props;
  return (
    <>
      <PageHead title={texts.title} hasBack />
      <p class="page-lead">{texts.lead}</p>
      <Paged
        list={list}
        render={(account) => (
          <AccountRow account={account} fact={describe?.(account)}>
            <button type="button" class="quiet" onClick={() => onUndo(account)}>
              {undo} <span class="unseen">@{account.username}</span>
            </button>
          </AccountRow>
        )}
        label={texts.title}
        empty={<Empty title={texts.empty} />}
      />
    </>
  );
}
