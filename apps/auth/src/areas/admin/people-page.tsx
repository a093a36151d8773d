import type { FoundAccount } from '@linnet/accounts/account-search-store';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { pagePaths } from '../../pages/views/page-paths.ts';
import { AdminLayout } from './admin-layout.tsx';
import { NextLink } from './next-link.tsx';
import { SearchForm } from './search-form.tsx';

export interface PeoplePageProps {
  readonly frame: Frame;
  readonly text: string;
  /** Newest first. */
  readonly people: readonly FoundAccount[];
  /** Address of the next page. */
  readonly next: string | undefined;
}

export function PeoplePage({ frame, text, people, next }: PeoplePageProps): VNode {
  const { people: texts, search } = frame.messages.admin;
  return (
    <AdminLayout frame={frame} page="people" title={texts.title}>
      <SearchForm frame={frame} label={texts.field} hint={texts.hint} value={text} />
      {people.length === 0 ? (
        <p class="empty">{search.none}</p>
      ) : (
        <ul class="rows" data-testid="people">
          {people.map((person) => (
            <Row key={person.id} frame={frame} person={person} />
          ))}
        </ul>
      )}
      <NextLink frame={frame} next={next} />
    </AdminLayout>
  );
}

function Row({ frame, person }: { readonly frame: Frame; readonly person: FoundAccount }): VNode {
  const { messages } = frame;
  const { people: texts } = messages.admin;
  const { id, username, displayName, email, createdAt } = person;
  const marks = [
    ...(person.state === 'active' ? [] : [texts.states[person.state]]),
    ...(person.isEmailConfirmed ? [] : [texts.unconfirmed]),
  ];
  return (
    <li class="row">
      <h2>
        <a href={pagePaths.adminPerson(id)}>
          <UserText text={displayName} />
        </a>
        {person.isVerified ? <span class="tag">{messages.names.verified}</span> : null}
        {person.isOperator ? <span class="tag">{texts.operator}</span> : null}
        {marks.map((mark) => (
          <span key={mark} class="tag warning">
            {mark}
          </span>
        ))}
      </h2>
      <p class="quiet small">
        <UserText text={`@${username}`} /> · <UserText text={email} /> ·{' '}
        <time datetime={createdAt.toISOString()}>{texts.registered(messages.formatDay(createdAt))}</time>
      </p>
    </li>
  );
}
