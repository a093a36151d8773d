import type { VNode } from 'preact';

export type Choice = readonly [label: string, act: () => void];

interface ChoicesProps {
  readonly rows: readonly Choice[];
}

/** What can be done, in a dialog. */
export function Choices({ rows }: ChoicesProps): VNode {
  return (
    <ul class="choices">
      {rows.map(([label, act]) => (
        <li key={label}>
          <button type="button" onClick={act}>
            {label}
          </button>
        </li>
      ))}
    </ul>
  );
}
