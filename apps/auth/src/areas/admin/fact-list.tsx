import type { ComponentChildren, VNode } from 'preact';

export type Fact = readonly [label: ComponentChildren, value: ComponentChildren];

interface FactListProps {
  readonly rows: readonly Fact[];
  readonly testId: string;
  /** Numbers to compare at a glance. */
  readonly isNumbers?: boolean;
}

/** Labels with their values. */
export function FactList({ rows, testId, isNumbers = false }: FactListProps): VNode {
  return (
    <dl class={isNumbers ? 'facts numbers panel' : 'facts panel'} data-testid={testId}>
      {rows.map(([label, value], index) => (
        <div key={index}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
