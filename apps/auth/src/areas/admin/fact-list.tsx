import type { ComponentChildren, VNode } from 'preact';

export type Fact = readonly [label: ComponentChildren, value: ComponentChildren];

interface FactListProps {
  readonly rows: readonly Fact[];
  readonly testId: string;
}

/** Labels with their values. */
export function FactList({ rows, testId }: FactListProps): VNode {
  return (
    <dl class="facts panel" data-testid={testId}>
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
