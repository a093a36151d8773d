import type { WordFilter } from '@linnet/sdk';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { describeTime, EndChoice, toEnd } from '../parts/end-choice.tsx';
import type { Ending } from '../parts/end-choice.tsx';
import { useWritten } from '../data/draft.ts';
import { useClient } from '../client.ts';
import { PageHead } from './page-head.tsx';

/** Words that the person does not want to see. */
export function FiltersPage(): VNode {
  const { texts, session, notify, report } = useClient();
  const [filters, setFilters] = useState<readonly WordFilter[]>();
  const load = () => {
    session.resetPosts();
    session.linnet.filters.list().then(({ items }) => setFilters(items), report);
  };
  useEffect(load, [session]);
  const remove = async ({ id, text }: WordFilter) => {
    await session.linnet.filters.delete({ id });
    notify(texts.filters.removed(text));
  };
  return (
    <>
      <PageHead title={texts.filters.title} hasBack />
      <p class="page-lead">{texts.filters.lead}</p>
      <AddFilter onAdded={load} />
      <ul class="filters" aria-label={texts.filters.title}>
        {filters?.map((filter) => (
          <FilterRow key={filter.id} filter={filter} remove={() => void remove(filter).catch(report).finally(load)} />
        ))}
      </ul>
      {filters?.length === 0 && <p class="empty">{texts.filters.empty}</p>}
    </>
  );
}

function FilterRow({ filter, remove }: { readonly filter: WordFilter; readonly remove: () => void }): VNode {
  const { texts, language } = useClient();
  const end = filter.ends_at === undefined ? undefined : describeTime(filter.ends_at, language);
  return (
    <li>
      <span>
        <b>{filter.text}</b>
        {filter.match === 'part' && <span class="username"> · {texts.filters.part}</span>}
        {end !== undefined && <span class="username"> · {texts.filters.until(end)}</span>}
      </span>
      <button type="button" class="quiet" onClick={remove}>
        {texts.post.delete} <span class="unseen">{filter.text}</span>
      </button>
    </li>
  );
}

function AddFilter({ onAdded }: { readonly onAdded: () => void }): VNode {
  const { texts, session, notify, report } = useClient();
  const [text, setText] = useWritten('filter');
  const [isPart, setPart] = useState(false);
  const [ending, setEnding] = useState<Ending>('never');
  const add = async () => {
    await session.linnet.filters.add({ text, match: isPart ? 'part' : 'word', ...toEnd(ending) });
    notify(texts.filters.added(text));
    setText('');
    onAdded();
  };
  return (
    <form
      class="add-filter"
      onSubmit={(event) => {
        event.preventDefault();
        void add().catch(report);
      }}
    >
      <label>
        {texts.filters.text}
        <input required maxLength={100} value={text} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      </label>
      <label class="check">
        <input type="checkbox" checked={isPart} onChange={({ currentTarget }) => setPart(currentTarget.checked)} />
        {texts.filters.part}
      </label>
      <EndChoice value={ending} choose={setEnding} />
      <button type="submit" class="primary">
        {texts.filters.add}
      </button>
    </form>
  );
}
