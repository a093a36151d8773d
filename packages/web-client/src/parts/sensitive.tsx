import type { VNode } from 'preact';
import { useState } from 'preact/hooks';

import { useClient } from '../client.ts';

interface SensitiveProps {
  readonly isSensitive: boolean;
  readonly children: VNode;
}

/** Shows a sensitive picture only when the reader asks for it; until then it is not even loaded. */
export function Sensitive({ isSensitive, children }: SensitiveProps): VNode {
  const { texts } = useClient();
  const [isShown, setShown] = useState(false);
  if (!isSensitive) return children;
  return (
    <>
      <button type="button" class="quiet reveal" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        {isShown ? texts.post.hideSensitive : texts.post.showSensitive}
      </button>
      {isShown && children}
    </>
  );
}
