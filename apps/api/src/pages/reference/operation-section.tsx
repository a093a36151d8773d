import type { VNode } from 'preact';

import { codeOf } from './reference-model.ts';
import type { ReferenceExample, ReferenceOperation } from './reference-model.ts';
import type { Field } from './schema-fields.ts';
import { TryForm } from './try-form.tsx';

export function OperationSection({ operation }: { readonly operation: ReferenceOperation }): VNode {
  const { id, method, path, title, description, parameters } = operation;
  return (
    <section class="operation" id={id} aria-labelledby={`${id}-title`}>
      <h3 id={`${id}-title`}>
        <a href={`#${id}`}>{title}</a>
      </h3>
      <p class="address">
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
      </p>
      <div class="columns">
        <div>
          <Prose text={description} />
          {parameters.length === 0 ? null : (
            <>
              <h4>Parameters</h4>
              <FieldList fields={parameters} kind="parameters" />
            </>
          )}
          <Response operation={operation} />
          <Errors operation={operation} />
        </div>
        <div class="samples">
          {operation.canTry ? <TryForm operation={operation} /> : null}
          {operation.samples.map(({ language, code }, index) => (
            <details key={language} open={index === 0}>
              <summary>{language}</summary>
              <Code label={`${title}: request in ${language}`} isForCopying>
                {code}
              </Code>
            </details>
          ))}
          {operation.responses.map((example, index) => (
            <details key={example.title} open={index === 0}>
              <summary>{operation.responses.length === 1 ? 'Response' : `Response: ${example.title}`}</summary>
              <Code label={`${title}: ${example.title}`}>{toText(example.value)}</Code>
            </details>
          ))}
        </div>
      </div>
    </section>
  );
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));

function Response({ operation }: { readonly operation: ReferenceOperation }): VNode | null {
  const { returns, alternatives, fields } = operation;
  if (returns === '') return null;
  return (
    <>
      <h4>Response</h4>
      {fields.length > 0 ? (
        <FieldList fields={fields} kind="members" />
      ) : (
        <p>
          <ObjectLink name={returns} />
        </p>
      )}
      {alternatives.map((name) => (
        <p key={name}>
          Or <ObjectLink name={name} />
        </p>
      ))}
    </>
  );
}

function ObjectLink({ name }: { readonly name: string }): VNode {
  return <a href={`#object-${name}`}>{name}</a>;
}

function Errors({ operation }: { readonly operation: ReferenceOperation }): VNode | null {
  const { errors, hasCommonErrors } = operation;
  if (errors.length === 0 && !hasCommonErrors) return null;
  const common = <a href="#common-errors">common errors</a>;
  if (errors.length === 0) return <p>Errors: the {common}.</p>;
  return (
    <details class="errors">
      <summary>Errors</summary>
      <dl class="fields">
        {errors.map(({ status, examples }) =>
          examples.map((example) => <ErrorRow key={example.title} status={status} example={example} />),
        )}
      </dl>
      {hasCommonErrors ? <p>And the {common}.</p> : null}
    </details>
  );
}

function ErrorRow({ status, example }: { readonly status: string; readonly example: ReferenceExample }): VNode {
  const { detail, type } = Object(example.value) as Readonly<Record<string, string | undefined>>; // a problem
  const name = codeOf(example);
  return (
    <div>
      <dt>
        <span class="status">{status}</span>{' '}
        {type === undefined ? <code>{name}</code> : <a href={`#problem-${name}`}>{name}</a>}
      </dt>
      <dd>
        <Inline text={detail ?? example.title} />
      </dd>
    </div>
  );
}

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

/** The descriptions of the contract: paragraphs with `code`. Everything else is text. */
export function Prose({ text }: { readonly text: string }): VNode {
  return (
    <>
      {text
        .split('\n\n')
        .filter((paragraph) => paragraph !== '')
        .map((paragraph) => (
          <p key={paragraph}>
            <Inline text={paragraph} />
          </p>
        ))}
    </>
  );
}

/** A line with `code`. */
export function Inline({ text }: { readonly text: string }): VNode {
  const parts = text.split(/`([^`]+)`/);
  // Every other part was between back quotes.
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part))}</>;
}

interface CodeProps {
  readonly label: string;
  /** The script adds a button that copies it. */
  readonly isForCopying?: boolean;
  readonly children: string;
}

/** JSON or code that can scroll: the keyboard reaches it. */
export function Code({ label, isForCopying = false, children }: CodeProps): VNode {
  return (
    <section class="code" aria-label={label} data-copy={isForCopying || undefined}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </section>
  );
}
