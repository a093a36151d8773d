import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { Avatar } from '../parts/account-row.tsx';
import { Trending } from '../parts/hashtags.tsx';
import { Icon } from '../parts/icons.tsx';
import type { IconName } from '../parts/icons.tsx';
import { currentPath, paths } from '../router.ts';
import { isReachable } from '../session/sign-in.ts';
import { useClient } from '../client.ts';

/** What is around every page: the brand, the navigation and the account. */
export function Frame({ children }: { readonly children: ComponentChildren }): VNode {
  const { texts, settings, open } = useClient();
  const { navigation } = texts;
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.querySelector<HTMLElement>('#main')?.focus()}>
        {navigation.skip}
      </button>
      <header class="side">
        <a class="brand" href={paths.feed}>
          <img src="/home/icon.svg" alt="" width={36} height={36} />
          <span>{settings.serviceName}</span>
        </a>
        <Navigation />
        <AccountButton />
      </header>
      <main id="main" tabIndex={-1}>
        <Offline />
        {children}
      </main>
      <aside class="beside" aria-label={navigation.about}>
        {matchMedia('(min-width: 75rem)').matches && <Trending />}
        <button type="button" class="link with-icon" onClick={() => open('keys')}>
          <Icon name="keys" />
          {navigation.shortcuts}
        </button>
      </aside>
    </div>
  );
}

function Navigation(): VNode {
  const { texts, session, open } = useClient();
  const { navigation } = texts;
  const waiting = useCell(session.waiting);
  const unread = useCell(session.unread);
  return (
    <nav class="navigation" aria-label={navigation.main}>
      <NavigationLink href={paths.feed} icon="home" label={navigation.home} />
      <NavigationLink href={paths.explore} icon="explore" label={navigation.explore} />
      <NavigationLink href={paths.notifications} icon="bell" label={texts.notifications.title} count={unread} />
      <NavigationLink href={paths.requests} icon="requests" label={navigation.requests} count={waiting} />
      <NavigationLink href={paths.profile(session.person.username)} icon="profile" label={navigation.profile} />
      <button type="button" class="primary write" onClick={() => open('compose')}>
        <Icon name="compose" />
        <span>{navigation.compose}</span>
      </button>
    </nav>
  );
}

interface NavigationLinkProps {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number;
}

function NavigationLink({ href, icon, label, count = 0 }: NavigationLinkProps): VNode {
  const path = useCell(currentPath);
  return (
    <a href={href} aria-current={path === href ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {count > 0 && <b class="badge">{count}</b>}
    </a>
  );
}

function AccountButton(): VNode {
  const { texts, session, open } = useClient();
  const { avatar, displayName, username } = session.person;
  return (
    <button type="button" class="account" onClick={() => open('menu')}>
      <Avatar src={avatar} size="small" />
      <span class="account-names">
        <bdi>{displayName}</bdi>
        <span class="username">@{username}</span>
      </span>
      <span class="unseen">{texts.navigation.account}</span>
    </button>
  );
}

function Offline(): VNode {
  const { texts, settings } = useClient();
  const { offline, unreachable } = texts.problems;
  const isServiceReachable = useCell(isReachable);
  const [isOnline, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    addEventListener('online', update);
    addEventListener('offline', update);
    return () => {
      removeEventListener('online', update);
      removeEventListener('offline', update);
    };
  }, []);
  const problem = isOnline ? !isServiceReachable && unreachable(settings.serviceName) : offline;
  return (
    <div class="offline" role="status">
      {problem !== false && <p>{problem}</p>}
    </div>
  );
}
