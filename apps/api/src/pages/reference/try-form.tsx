import type { VNode } from 'preact';

import type { ReferenceOperation } from './reference-model.ts';
import type { Field } from './schema-fields.ts';

/**
 * Sends the request from the page (`assets/reference.js`, which shows the form). Optional parameters start empty, and empty
 * ones are not sent. Ids start empty, too: those of the examples exist nowhere.
 */
export function TryForm({ operation }: { readonly operation: ReferenceOperation }): VNode {
  const { id, method, url, title, parameters } = operation;
  return (
    <details class="try" hidden>
      <summary>Try it</summary>
      <form data-try={id} data-method={method} data-url={url} aria-label={`Try: ${title}`}>
        {parameters.map((field) => (
          <ParameterField key={field.name} field={field} />
        ))}
        {operation.takesIdempotencyKey ? (
          <label>
            <span>
              Idempotency-Key <span class="quiet">optional header</span>
            </span>
            <input name="header:Idempotency-Key" maxLength={255} autocomplete="off" />
          </label>
        ) : null}
        <p>
          <button class="button" type="submit">
            Send
          </button>
        </p>
        <output class="result" />
      </form>
    </details>
  );
}

/** How the script sends what was typed; other types are text. */
const kinds: Readonly<Record<string, string>> = { integer: 'number', boolean: 'flag' };

function ParameterField({ field }: { readonly field: Field }): VNode {
  const { name, type, isRequired, isFile, values } = field;
  const [only] = values.length === 1 ? values : [];
  if (only !== undefined) return <input type="hidden" name={`text:${name}`} value={only} />;
  const kind = kinds[type] ?? 'text';
  const entered = { name: `${kind}:${name}`, value: firstValueOf(field), required: isRequired && !isFile };
  return (
    <label>
      <span>
        {name} <span class="quiet">{isRequired ? 'required' : 'optional'}</span>
      </span>
      {name === 'password' ? (
        <input type="password" autocomplete="off" {...entered} />
      ) : (
        <input
          inputMode={inputModes[kind] ?? 'text'}
          autocomplete="off"
          placeholder={placeholders[kind] ?? ''}
          {...entered}
        />
      )}
      {isFile ? <input type="file" name={`file:${name}`} aria-label={`${name} as a file`} accept={accepted} /> : null}
    </label>
  );
}

const accepted = 'image/png,image/jpeg';
const inputModes: Readonly<Record<string, 'numeric'>> = { number: 'numeric' };
const placeholders: Readonly<Record<string, string>> = { flag: 'true or false' };

/** The example of a required text; a person enters everything else. */
function firstValueOf({ name, isRequired, isFile, example }: Field): string {
  return isRequired && !isFile && name !== 'password' && typeof example === 'string' ? example : '';
}
