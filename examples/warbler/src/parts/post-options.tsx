import type { Post } from '@linnet/sdk';
import type { VNode } from 'preact';

import { useCell } from '../data/cell.ts';
import { draft } from '../data/draft.ts';
import { useWarbler } from '../warbler.ts';

const kinds: readonly Post['commenters'][] = ['everyone', 'followers', 'mentioned'];

/** Who can comment on the new post, and whether its pictures are sensitive. */
export function PostOptions(): VNode {
  const { pictures, commenters, sensitive } = useCell(draft);
  const { compose } = useWarbler().texts;
  return (
    <p class="options">
      <label>
        {compose.commenters}
        <select
          value={commenters}
          onChange={({ currentTarget }) => {
            draft.change({ commenters: kinds.find((kind) => kind === currentTarget.value) ?? 'everyone' });
          }}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {compose.commenterKinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {pictures.length > 0 && (
        <label>
          <input
            type="checkbox"
            checked={sensitive}
            onChange={({ currentTarget }) => draft.change({ sensitive: currentTarget.checked })}
          />
          {compose.sensitive}
        </label>
      )}
    </p>
  );
}
