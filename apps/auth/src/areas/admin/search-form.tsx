import type { ComponentChildren, VNode } from 'preact';

import type { Frame } from '../../pages/frame/frame.ts';
import { fieldId } from '../../pages/views/field.tsx';

interface SearchFormProps {
  readonly frame: Frame;
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Further fields. */
  readonly children?: ComponentChildren;
}

/** One field that finds; it changes nothing, so it is sent with GET. */
export function SearchForm({ frame, label, hint, value, children }: SearchFormProps): VNode {
  const id = fieldId('q');
  return (
    <search>
      <form data-testid="search">
        <div class="filter">
          <div class="field">
            <label for={id}>{label}</label>
            <p class="hint" id={`${id}-hint`}>
              {hint}
            </p>
            <input type="search" id={id} name="q" value={value} aria-describedby={`${id}-hint`} autocomplete="off" />
          </div>
          <button class="button">{frame.messages.admin.search.submit}</button>
        </div>
        {children}
      </form>
    </search>
  );
}
