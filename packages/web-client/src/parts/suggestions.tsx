import type { RefObject, VNode } from 'preact';
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Session } from '../session/session.ts';
import { useClient } from '../client.ts';
import { Avatar } from './avatar.tsx';

/** What a mention or hashtag can be completed to. */
interface Suggestion {
  /** `@username` or `#hashtag` */
  readonly written: string;
  readonly avatar?: string;
  readonly name?: string;
}

/** The start of a mention or hashtag, up to the caret. */
interface Begun {
  readonly sign: '@' | '#';
  readonly text: string;
  /** Position of the sign, in UTF-16 units. */
  readonly start: number;
}

const count = 5;
/** Long enough that a word is not searched for letter by letter. */
const typingMs = 200;
const begun = /(?<![\p{L}\p{N}\p{M}_@#&/.])([@#])([\p{L}\p{N}\p{M}_]{1,50})$/u;

function findBegun({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): Begun | undefined {
  if (selectionStart !== selectionEnd) return undefined;
  const [whole, sign, text] = begun.exec(value.slice(0, selectionStart)) ?? [];
  if (whole === undefined || text === undefined) return undefined;
  return { sign: sign === '@' ? '@' : '#', text, start: selectionStart - whole.length };
}

async function suggest({ linnet }: Session, { sign, text }: Begun): Promise<readonly Suggestion[]> {
  if (sign === '#') {
    const { items } = await linnet.hashtags.search({ hashtag: text, count });
    return items.map((hashtag) => ({ written: `#${hashtag.text}` }));
  }
  const { items } = await linnet.search.users({ query: text, count });
  return items.map(({ username, avatar, displayName: name }) => ({ written: `@${username}`, avatar, name }));
}

interface Suggestions {
  /** For the text field. */
  readonly attributes: object;
  readonly onInput: () => void;
  /** True if the key was for the list. */
  readonly onKey: (event: KeyboardEvent) => boolean;
  readonly close: () => void;
  readonly list: VNode;
}

/** What the API finds for the word, a moment after the last letter. */
function useFound(word: Begun | undefined) {
  const { session } = useClient();
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const [active, setActive] = useState(0);
  useEffect(() => {
    if (word === undefined) {
      setFound([]);
      return undefined;
    }
    let isCurrent = true;
    const show = (suggestions: readonly Suggestion[]) => {
      if (!isCurrent) return;
      setFound(leaveOutTyped(suggestions, word));
      // A hashtag may be a new one: Enter leaves it as it is, until the person goes to the list.
      setActive(word.sign === '@' ? 0 : -1);
    };
    const timer = setTimeout(() => void suggest(session, word).then(show, () => setFound([])), typingMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [word?.sign, word?.text]);
  return { found, active, setActive };
}

/** A username that is complete needs no others; a hashtag may become a longer one. */
function leaveOutTyped(suggestions: readonly Suggestion[], { sign, text }: Begun): readonly Suggestion[] {
  const typed = (sign + text).toLowerCase();
  const others = suggestions.filter(({ written }) => written.toLowerCase() !== typed);
  return sign === '@' && others.length < suggestions.length ? [] : others;
}

/** Completes mentions and hashtags in a text field. */
export function useSuggestions(
  field: RefObject<HTMLTextAreaElement | null>,
  onChange: (value: string) => void,
): Suggestions {
  const [word, setWord] = useState<Begun>();
  const { found, active, setActive } = useFound(word);
  const caret = useRef<number | undefined>(undefined);
  const id = useId();
  // The value is in the field now.
  useLayoutEffect(() => {
    if (caret.current !== undefined) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const close = () => setWord(undefined);
  const choose = ({ written }: Suggestion) => {
    if (word === undefined || field.current === null) return;
    const { value } = field.current;
    const rest = value.slice(word.start + 1 + word.text.length);
    caret.current = word.start + written.length + 1;
    onChange(`${value.slice(0, word.start)}${written}${/^\s/.test(rest) ? '' : ' '}${rest}`);
    close();
  };
  const toList = (index: number) => () => setActive((index + found.length) % found.length);
  const chosen = found[active];
  const accept = chosen && (() => choose(chosen));
  const acts = new Map([
    ['ArrowDown', toList(active + 1)],
    ['ArrowUp', toList(Math.max(active, 0) - 1)],
    ['Escape', close],
    ['Enter', accept],
    ['Tab', accept],
  ]);
  return {
    attributes: {
      'aria-autocomplete': 'list',
      ...(found.length === 0 ? {} : { 'aria-controls': id }),
      ...(chosen === undefined ? {} : { 'aria-activedescendant': `${id}-${String(active)}` }),
    },
    onInput: () => setWord(field.current === null ? undefined : findBegun(field.current)),
    onKey: (event) => found.length > 0 && act(event, acts.get(event.key)),
    close,
    list: <SuggestionList {...{ id, found, active, choose }} />,
  };
}

/** Keys of an input method, and those that send, are not for the list. */
function act(event: KeyboardEvent, run: (() => void) | undefined): boolean {
  if (run === undefined || event.isComposing || event.ctrlKey || event.metaKey) return false;
  event.preventDefault();
  event.stopPropagation();
  run();
  return true;
}

interface SuggestionListProps {
  readonly id: string;
  readonly found: readonly Suggestion[];
  readonly active: number;
  readonly choose: (suggestion: Suggestion) => void;
}

function SuggestionList({ id, found, active, choose }: SuggestionListProps): VNode {
  const { texts, language } = useClient();
  return (
    <>
      <p class="unseen" role="status">
        {found.length > 0 && texts.compose.suggested(found.length, language)}
      </p>
      {found.length > 0 && (
        <div class="suggestions" role="listbox" id={id} aria-label={texts.compose.suggestions}>
          {found.map((suggestion, index) => (
            // The focus stays in the text field, which has the keys.
            <div
              key={suggestion.written}
              id={`${id}-${String(index)}`}
              role="option"
              aria-selected={index === active}
              tabIndex={-1}
              onMouseDown={(event) => {
                event.preventDefault();
                choose(suggestion);
              }}
            >
              {suggestion.avatar !== undefined && <Avatar src={suggestion.avatar} size="small" />}
              {suggestion.name !== undefined && <bdi class="name">{suggestion.name}</bdi>}
              <bdi class={suggestion.name === undefined ? 'name' : 'username'}>{suggestion.written}</bdi>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
