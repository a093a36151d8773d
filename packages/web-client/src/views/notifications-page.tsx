import type { Notification } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { Avatar } from '../parts/account-row.tsx';
import { Empty } from '../parts/empty.tsx';
import { Filtered } from '../parts/filtered.tsx';
import { Moment } from '../parts/moment.tsx';
import { Paged } from '../parts/paged.tsx';
import { paths } from '../router.ts';
import { useClient } from '../client.ts';
import { PageHead } from './page-head.tsx';

const filters = {
  talk: ['mention', 'reply', 'quote'],
  reactions: ['like', 'repost'],
  follows: ['follow', 'follow_request', 'approved'],
} as const satisfies Record<string, readonly Notification['type'][]>;

/** What others did: everything, or what the person chose to see. */
export function NotificationsPage(): VNode {
  const { title, show, filters: labels } = useClient().texts.notifications;
  const [shown, setShown] = useState<'all' | keyof typeof filters>('all');
  return (
    <>
      <PageHead title={title} />
      <fieldset class="pills">
        <legend class="unseen">{show}</legend>
        {(['all', 'talk', 'reactions', 'follows'] as const).map((one) => (
          <button key={one} type="button" aria-pressed={one === shown} onClick={() => setShown(one)}>
            {labels[one]}
          </button>
        ))}
      </fieldset>
      {shown === 'all' ? <AllNotifications /> : <SomeNotifications key={shown} filter={shown} />}
    </>
  );
}

/** The others stay unread, so nothing is marked as read here. */
function SomeNotifications({ filter }: { readonly filter: keyof typeof filters }): VNode {
  const { texts, session, report } = useClient();
  const list = useMemo(() => session.notificationsOf(filters[filter]), [session]);
  const { newer } = useCell(list.state);
  // Whenever one of any kind has come. A failure is no news.
  useEffect(() => session.unread.subscribe(() => void list.lookForNewer().catch(() => undefined)), [list]);
  const empty = <p class="empty-title">{texts.notifications.empty}</p>;
  return (
    <>
      <Newer count={newer.length} onPress={() => void list.reload().catch(report)} />
      <Paged list={list} render={renderNotification} label={texts.notifications.filters[filter]} empty={empty} />
    </>
  );
}

function Newer({ count, onPress }: { readonly count: number; readonly onPress: () => void }): VNode {
  const { texts, language } = useClient();
  return (
    <div class="newer" role="status">
      {count > 0 && (
        <button type="button" class="primary" data-key="newer" onClick={onPress}>
          {texts.notifications.showNew(count, language)}
        </button>
      )}
    </div>
  );
}

/** Everything that is shown counts as read; what comes later waits behind a button. */
function AllNotifications(): VNode {
  const { texts, session, report } = useClient();
  const list = session.notifications;
  const unread = useCell(session.unread);
  const { items, isLoaded } = useCell(list.state);
  const [latest] = items;
  const [read, setRead] = useState<Notification>();
  const reload = () => void list.reload().catch(report);
  useEffect(() => {
    // What came while another page was shown.
    if (isLoaded && unread > 0) reload();
  }, [session]);
  useEffect(() => {
    if (latest === undefined || latest.unread === 0) return;
    session.linnet.notifications.read({ id: latest.id }).then(({ count }) => {
      session.unread.set(count);
      setRead(latest);
    }, report);
  }, [latest]);
  const hasNewer = unread > 0 && (latest === undefined || latest.unread === 0 || latest === read);
  return (
    <>
      <Newer count={isLoaded && hasNewer ? unread : 0} onPress={reload} />
      <Paged
        list={list}
        render={renderNotification}
        label={texts.notifications.title}
        empty={<Empty title={texts.notifications.empty} hint={texts.notifications.hint} />}
      />
    </>
  );
}

function describeActors(
  { users, draft, count }: Notification,
  withOthers: (name: string, others: number) => string,
): string {
  if (draft?.application !== undefined) return draft.application.name;
  const name = users[0]?.displayName ?? '';
  return count > 1 ? withOthers(name, count - 1) : name;
}

function renderNotification(item: Notification): VNode {
  return <NotificationRow item={item} />;
}

function linkOf({ users, post, draft }: Notification): string {
  if (draft !== undefined) return paths.drafts;
  return post === undefined ? paths.profile(users[0]?.username ?? '') : paths.post(post.id);
}

function NotificationRow({ item }: { readonly item: Notification }): VNode {
  const { texts, language } = useClient();
  const { users, post, comment, draft, type } = item;
  const [first] = users;
  const who = describeActors(item, (name, others) =>
    texts.notifications.others(name, new Intl.NumberFormat(language).format(others)),
  );
  const about = comment ?? post;
  const link = linkOf(item);
  return (
    <article class="notification" data-href={link} data-unread={item.unread > 0}>
      {first !== undefined && <Avatar src={first.avatar} size="small" />}
      <div>
        <p>
          <a href={link}>{texts.notifications[type](who)}</a> <Moment at={item.created_at} />
        </p>
        <DraftExcerpt draft={draft} />
        {about !== undefined && (
          <Filtered by={about.viewer?.filtered}>
            <p class="excerpt">{about.text}</p>
          </Filtered>
        )}
      </div>
    </article>
  );
}

function DraftExcerpt({ draft }: { readonly draft: Notification['draft'] }): VNode | null {
  const { texts } = useClient();
  if (draft === undefined) return null;
  const { call, parameters } = draft;
  return <p class="excerpt">{parameters.message ?? parameters.text ?? texts.drafts.calls[call]}</p>;
}
