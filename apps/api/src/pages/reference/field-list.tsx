import type { VNode } from 'preact';

import { Inline } from './prose.tsx';
import type { Field } from './schema-fields.ts';

/** Parameters or members, each with its type and description. `kind` says which fields are marked. */
export function FieldList({
  fields,
  kind,
}: {
  readonly fields: readonly Field[];
  readonly kind: 'parameters' | 'members';
}): VNode {
  return (
    <dl class="fields">
      {fields.map((field) => (
        <div key={field.name}>
          <dt>
            <code>{field.name}</code> <TypeOf field={field} />
            {kind === 'parameters' && field.isRequired ? <strong class="required"> required</strong> : null}
            {kind === 'members' && !field.isRequired ? <span class="quiet"> optional</span> : null}
          </dt>
          <dd>
            <Inline text={field.description} />
            <Values field={field} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function TypeOf({ field: { type, object, isFile } }: { readonly field: Field }): VNode {
  if (object === undefined) return <span class="type">{isFile ? `${type} or file` : type}</span>;
  return (
    <a class="type" href={`#object-${object}`}>
      {type}
    </a>
  );
}

function Values({ field: { values, defaultValue } }: { readonly field: Field }): VNode {
  return (
    <>
      {values.length > 1 ? (
        <span class="quiet">
          {' '}
          One of <Inline text={values.map((value) => `\`${value}\``).join(', ')} />.
        </span>
      ) : null}
      {defaultValue === undefined ? null : (
        <span class="quiet">
          {' '}
          Default: <code>{defaultValue}</code>.
        </span>
      )}
    </>
  );
}
