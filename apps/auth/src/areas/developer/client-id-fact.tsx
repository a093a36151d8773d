import type { VNode } from 'preact';

import { Copyable } from '../../pages/views/notice.tsx';
import type { Frame } from '../../pages/frame/frame.ts';

interface ClientIdFactProps {
  readonly frame: Frame;
  readonly clientId: string;
}

/** The client ID in a list of facts (`<dl class="facts">`). */
export function ClientIdFact({ frame, clientId }: ClientIdFactProps): VNode {
  return (
    <div>
      <dt>{frame.messages.developer.application.clientId}</dt>
      <dd>
        <Copyable frame={frame} testId="client-id">
          {clientId}
        </Copyable>
      </dd>
    </div>
  );
}
