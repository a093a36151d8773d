import type { Post } from '@linnet/sdk';
import type { VNode } from 'preact';

import { useClient } from '../client.ts';

const kinds: readonly Post['commenters'][] = ['everyone', 'followers', 'mentioned'];

export interface ChosenOptions {
  readonly commenters: Post['commenters'];
  readonly sensitive: boolean;
}

interface PostOptionsProps {
  readonly chosen: ChosenOptions;
  readonly hasPictures: boolean;
  readonly change: (changes: Partial<ChosenOptions>) => void;
}

/** Who can comment on a post, and whether its pictures are sensitive. */
export function PostOptions({ chosen, hasPictures, change }: PostOptionsProps): VNode {
  const { commenters, sensitive } = chosen;
  const { compose } = useClient().texts;
  return (
    <p class="options">
      <label>
        {compose.commenters}
        <select
          value={commenters}
          onChange={({ currentTarget }) => {
            change({ commenters: kinds.find((kind) => kind === currentTarget.value) ?? 'everyone' });
          }}
        >
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {compose.commenterKinds[kind]}
            </option>
          ))}
        </select>
      </label>
      {hasPictures && (
        <label>
          <input
            type="checkbox"
            checked={sensitive}
            onChange={({ currentTarget }) => change({ sensitive: currentTarget.checked })}
          />
          {compose.sensitive}
        </label>
      )}
    </p>
  );
}
