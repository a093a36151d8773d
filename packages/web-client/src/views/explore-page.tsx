import type { VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { useCell } from '../data/cell.ts';
import { Icon } from '../parts/icons.tsx';
import { Paged } from '../parts/paged.tsx';
import { useClient } from '../client.ts';
import { renderPost } from '../parts/post-card.tsx';
import { PageHead } from './page-head.tsx';
import { FollowRow } from './profile-lists.tsx';

/** The latest posts of everyone, for people who follow nobody yet; or the people whom they search for. */
export function ExplorePage(): VNode {
  const { texts, session } = useClient();
  const query = useCell(session.search);
  return (
    <>
      <PageHead title={texts.explore.title} />
      <PeopleSearch />
      {query === '' ? (
        <Paged
          list={session.explore()}
          render={renderPost}
          label={texts.explore.title}
          empty={<p class="empty-title">{texts.feed.empty}</p>}
        />
      ) : (
        <FoundPeople key={query} query={query} />
      )}
    </>
  );
}

/** Long enough that a word is not searched for letter by letter. */
const typingMs = 300;
/** As many as the API takes. */
const maxWords = 10;
const maxLength = 100;

function PeopleSearch(): VNode {
  const { texts, session } = useClient();
  const [text, setText] = useState(session.search.get());
  const id = useId();
  const search = () => session.search.set(toQuery(text));
  useEffect(() => {
    const timer = setTimeout(search, typingMs);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <search>
      <form
        class="people-search"
        onSubmit={(event) => {
          event.preventDefault();
          search();
        }}
      >
        <label class="unseen" for={id}>
          {texts.explore.search}
        </label>
        <Icon name="search" />
        <input
          id={id}
          type="search"
          autocomplete="off"
          maxLength={maxLength}
          placeholder={texts.explore.search}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </form>
    </search>
  );
}

/** Without a letter or a digit there is nothing to search for. */
function toQuery(text: string): string {
  if (!/[\p{L}\p{N}_]/u.test(text)) return '';
  return text.trim().split(/\s+/u).slice(0, maxWords).join(' ');
}

function FoundPeople({ query }: { readonly query: string }): VNode {
  const { texts, language, session } = useClient();
  const list = session.find(query);
  const { items, isLoaded, next } = useCell(list.state);
  const isComplete = isLoaded && next === undefined && items.length > 0;
  return (
    <>
      <p class="unseen" role="status">
        {isComplete && texts.explore.found(items.length, language)}
      </p>
      <Paged
        list={list}
        render={(account) => <FollowRow account={account} />}
        label={texts.explore.search}
        empty={
          <div role="status">
            <p class="empty-title">{texts.explore.nobody}</p>
            <p>{texts.explore.nobodyHint}</p>
          </div>
        }
      />
    </>
  );
}
