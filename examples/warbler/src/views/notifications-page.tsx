import type { Notification } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';

import { Avatar } from '../parts/avatar.tsx';
import { Filtered } from '../parts/filtered.tsx';
import { Moment } from '../parts/moment.tsx';
import { Paged } from '../parts/paged.tsx';
import { paths } from '../router.ts';
import { useWarbler } from '../warbler.ts';
import { PageHead } from './page-head.tsx';

/** What others did. Everything that is shown counts as read. */
export function NotificationsPage(): VNode {
  const { texts, session, report } = useWarbler();
  useEffect(() => {
    const list = session.notifications.state;
    const read = () => {
      const [latest] = list.get().items;
      if (latest === undefined || session.unread.get() === 0) return;
      session.unread.set(0);
      session.linnet.notifications.read({ id: latest.id }).catch(report);
    };
    read();
    return list.subscribe(read);
  }, [session]);
  return (
    <>
      <PageHead title={texts.notifications.title} />
      <Paged
        list={session.notifications}
        render={(item) => <NotificationRow item={item} />}
        label={texts.notifications.title}
        empty={<p class="empty-title">{texts.notifications.empty}</p>}
      />
    </>
  );
}

function describeUsers({ users, count }: Notification, withOthers: (name: string, others: number) => string): string {
  const name = users[0]?.displayName ?? '';
  return count > 1 ? withOthers(name, count - 1) : name;
}

function NotificationRow({ item }: { readonly item: Notification }): VNode {
  const { texts, language } = useWarbler();
  const { users, post, comment, type } = item;
  const [first] = users;
  const who = describeUsers(item, (name, others) =>
    texts.notifications.others(name, new Intl.NumberFormat(language).format(others)),
  );
  const about = comment ?? post;
  const link = post === undefined ? paths.profile(first?.username ?? '') : paths.post(post.id);
  return (
    <article class="notification" data-href={link} data-unread={item.unread > 0}>
      {first !== undefined && <Avatar src={first.avatar} size="small" />}
      <div>
        <p>
          <a href={link}>{texts.notifications[type](who)}</a> <Moment at={item.created_at} />
        </p>
        {about !== undefined && (
          <Filtered by={about.viewer?.filtered}>
            <p class="excerpt">{about.text}</p>
          </Filtered>
        )}
      </div>
    </article>
  );
}
