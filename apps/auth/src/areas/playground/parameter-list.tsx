import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

interface ParameterListProps {
  readonly parameters: readonly (readonly [name: string, value: string])[];
  /** Explanations by parameter name. */
  readonly meanings?: Readonly<Partial<Record<string, string>>>;
}

/** The query parameters of a URL. */
export function ParameterList({ parameters, meanings = {} }: ParameterListProps): VNode {
  return (
    <dl class="facts panel">
      {parameters.map(([name, value]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <code>
              <UserText text={value} />
            </code>
            {meanings[name] === undefined ? null : <p class="hint">{meanings[name]}</p>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
