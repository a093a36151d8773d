import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useClient } from '../client.ts';

interface FilteredProps {
  /** The filters that match. Undefined: none. */
  readonly by: readonly string[] | undefined;
  readonly children: ComponentChildren;
}

/** Hides what a person does not want to see behind one line, until they ask for it. */
export function Filtered({ by, children }: FilteredProps): VNode {
  const { safety } = useClient().texts;
  const [isShown, show] = useState(false);
  if (by === undefined || isShown) return <div>{children}</div>;
  return (
    <p class="filtered">
      <span>{safety.hidden(by.join(', '))}</span>
      <button type="button" class="link" onClick={() => show(true)}>
        {safety.show}
      </button>
    </p>
  );
}
