import { searchAccounts } from '@linnet/accounts/account-search-store';
import type { FoundAccount } from '@linnet/accounts/account-search-store';
import type { Queryable } from '@linnet/db/statement/transaction';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { renderPage } from '../../../pages/frame/render.tsx';
import { fieldId } from '../../../pages/views/field.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage } from '../../../sign-in/visit/area.ts';
import { readNumber, readText, withQuery } from '../act-form.tsx';
import { AdminLayout, NextLink } from '../admin-layout.tsx';
import { toMarkText } from '../mark-text.ts';

const pageSize = 50;

/** `/admin/people?q=`: finds people; without `q` the newest. */
export function peopleRoute(db: Queryable): AreaPage {
  return {
    path: pagePaths.adminPeople,
    show: async ({ ctx, frame }) => {
      const text = readText(ctx, 'q');
      const before = readNumber(ctx, 'before');
      const found = await searchAccounts(db, { text, state: undefined, before, limit: pageSize + 1 });
      const people = found.slice(0, pageSize);
      const last = found.length > pageSize ? people.at(-1)?.id : undefined;
      const next = last === undefined ? undefined : withQuery(ctx.path, { q: text, before: String(last) });
      renderPage(ctx, <PeoplePage {...{ frame, text, people, next }} />);
    },
  };
}

interface PeoplePageProps {
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
    ...(person.mark === null ? [] : [toMarkText(messages, person.mark)]),
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

interface SearchFormProps {
  readonly frame: Frame;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
}

/** One field that finds; it changes nothing, so it is sent with GET. */
export function SearchForm({ frame, label, hint, value }: SearchFormProps): VNode {
  const id = fieldId('q');
  return (
    <search>
      <form class="filter" data-testid="search">
        <div class="field">
          <label for={id}>{label}</label>
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
          <input type="search" id={id} name="q" value={value} aria-describedby={`${id}-hint`} autocomplete="off" />
        </div>
        <button class="button">{frame.messages.admin.search.submit}</button>
      </form>
    </search>
  );
}
