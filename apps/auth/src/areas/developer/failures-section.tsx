import type { FailurePage } from '@linnet/applications/failures/failure-store';
import type { VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { FailureFilterForm, olderThan } from './failure-filter.tsx';
import type { TypedFilter } from './failure-filter.tsx';
import { FailureRow } from './failure-row.tsx';

export interface FailureList extends FailurePage {
  readonly filter: TypedFilter;
}

interface FailuresSectionProps {
  readonly frame: Frame;
  readonly clientId: string;
  readonly failures: FailureList;
}

/** Why requests of the application failed (checklist LG2). */
export function FailuresSection({
  frame,
  clientId,
  failures: { list, hasOlder, filter },
}: FailuresSectionProps): VNode {
  const { failures: texts } = frame.messages.developer;
  const isFiltered = filter.kind !== '' || filter.request !== '';
  return (
    <section>
      <h2>{texts.title}</h2>
      <p>{texts.intro}</p>
      <FailureFilterForm frame={frame} filter={filter} />
      {list.length === 0 ? (
        <p class="empty">{isFiltered ? texts.noneFound : texts.none}</p>
      ) : (
        <ul class="rows" data-testid="failures">
          {list.map((failure) => (
            <FailureRow
              key={failure.id}
              {...{ frame, clientId, failure }}
              isAlone={list.length === 1 && filter.request !== ''}
            />
          ))}
        </ul>
      )}
      {hasOlder ? (
        <p>
          <a href={olderThan(filter, list.at(-1)?.id)}>{frame.messages.developer.history.older}</a>
        </p>
      ) : null}
    </section>
  );
}
