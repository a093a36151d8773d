import type { VNode } from 'preact';

import { Modal } from '../parts/modal.tsx';
import { useClient } from '../client.ts';

export function KeysHelp(): VNode {
  const { texts, open } = useClient();
  const { keys } = texts;
  const rows = [
    ['J', keys.next],
    ['K', keys.previous],
    ['O', keys.open],
    ['L', keys.like],
    ['R', keys.repost],
    ['B', keys.bookmark],
    ['M', keys.more],
    ['T', keys.hashtag],
    ['N', keys.compose],
    ['.', keys.newer],
    ['H', keys.home],
    ['?', keys.help],
  ] as const;
  return (
    <Modal title={keys.title} closeLabel={keys.close} kind="keys" onClose={() => open(undefined)}>
      <dl class="keys">
        {rows.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}
