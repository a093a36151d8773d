import type { VNode } from 'preact';
import { useId, useRef } from 'preact/hooks';

import { useClient } from '../client.ts';
import { useSuggestions } from './suggestions.tsx';

interface TextWithLimitProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** In code points. */
  readonly limit: number;
  readonly rows: number;
  readonly onChange: (value: string) => void;
  /** Control or Command with Enter. */
  readonly onSend: () => void;
  /** Files that were pasted or dropped. */
  readonly onFiles?: (files: readonly File[]) => void;
}

/** The remaining length is shown from here on. */
const shownFrom = 100;

/** A text field that counts down to its limit, and completes mentions and hashtags. */
export function TextWithLimit(props: TextWithLimitProps): VNode {
  const { label, hint, value, limit, rows, onChange, onSend, onFiles } = props;
  const { texts, language } = useClient();
  const id = useId();
  const field = useRef<HTMLTextAreaElement | null>(null);
  const suggestions = useSuggestions(field, onChange);
  const left = limit - [...value.trim()].length;
  const takeFile = (files: FileList | undefined, event: Event) => {
    if (files === undefined || files.length === 0 || onFiles === undefined) return;
    event.preventDefault();
    onFiles([...files]);
  };
  return (
    <div class="limited">
      <label class="unseen" for={id}>
        {label}
      </label>
      <textarea
        ref={field}
        {...suggestions.attributes}
        id={id}
        rows={rows}
        placeholder={hint}
        value={value}
        aria-describedby={`${id}-left`}
        aria-invalid={left < 0}
        onInput={({ currentTarget }) => {
          onChange(currentTarget.value);
          suggestions.onInput();
        }}
        onClick={suggestions.close}
        onBlur={suggestions.close}
        onKeyDown={(event) => {
          if (suggestions.onKey(event)) return;
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
        }}
        onPaste={(event) => takeFile(event.clipboardData?.files, event)}
        onDrop={(event) => takeFile(event.dataTransfer?.files, event)}
      />
      {suggestions.list}
      <p id={`${id}-left`} class={left < 0 ? 'left over' : 'left'} aria-live="polite">
        {left < 0 && texts.compose.over(-left, language)}
        {left >= 0 && left <= shownFrom && texts.compose.left(left, language)}
      </p>
    </div>
  );
}
