/** What a stream of server-sent events says (HTML standard, §9.2.6). */
interface ParsedEvent {
  readonly id: string;
  readonly data: string;
}

export interface EventParser {
  /** Takes the next piece of the stream. Returns the events that are complete. */
  push(text: string): readonly ParsedEvent[];
  /** The id to continue from; empty before the first one. */
  readonly lastId: string;
  /** How long to wait before the next connection, in milliseconds, as the service asked. */
  readonly retryMs: number | undefined;
}

export function createEventParser(): EventParser {
  const state: { lastId: string; retryMs: number | undefined } = { lastId: '', retryMs: undefined };
  let rest = '';
  let fields: { id: string; readonly data: string[] } = { id: '', data: [] };

  function readField(line: string): void {
    const colon = line.indexOf(':');
    const name = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') fields.data.push(value);
    else if (name === 'id' && !value.includes('\0')) fields.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) state.retryMs = Number(value);
  }

  /** An id without data only moves the place to continue from. */
  function finishEvent(): ParsedEvent | undefined {
    const { id, data } = fields;
    state.lastId = id;
    fields = { id, data: [] };
    const text = data.join('\n');
    return text === '' ? undefined : { id, data: text };
  }

  return {
    push: (text) => {
      // A line break may be cut in two.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      return lines.flatMap((line) => {
        if (line !== '') {
          readField(line);
          return [];
        }
        return finishEvent() ?? [];
      });
    },
    get lastId() {
      return state.lastId;
    },
    get retryMs() {
      return state.retryMs;
    },
  };
}
