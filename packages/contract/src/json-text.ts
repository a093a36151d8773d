/**
 * JSON text that stands for a value of a response, so that a part of a response can be remembered as text and need not
 * be written again. The text must be what `JSON.stringify` writes for the value, with its members in the order of the
 * contract row; `apps/api` checks this in tests.
 */
export class JsonText<out Value = unknown> {
  /** Exists for the compiler only. */
  declare private readonly value: Value;
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * A response that differs from another one, which many callers share, in a few bytes of its body. `edit` returns the body of
 * this response for that of `shared`; it must copy it.
 */
export class EditedResponse<out Value = unknown> {
  readonly shared: Value;
  readonly edit: (body: Buffer) => Buffer;

  constructor(shared: Value, edit: (body: Buffer) => Buffer) {
    this.shared = shared;
    this.edit = edit;
  }
}

/** A response in which JSON text may replace the whole, a member, or items of a member that is a list. */
export type MaybeJsonText<Response> =
  | Response
  | JsonText<Response>
  | EditedResponse
  | {
      readonly [Name in keyof Response]:
        | Response[Name]
        | JsonText<Response[Name]>
        | (Response[Name] extends readonly (infer Item)[] ? readonly (Item | JsonText<Item>)[] : never);
    };

/** Writes a `MaybeJsonText`: the same text as `JSON.stringify` of the response without any `JsonText`. */
export function writeJson(response: unknown): string {
  if (response instanceof JsonText) return response.text;
  if (typeof response !== 'object' || response === null || !Object.values(response).some(holdsJsonText)) {
    return JSON.stringify(response);
  }
  // Appended, not joined: that would copy the text, which may be long.
  let text = '';
  for (const [name, value] of Object.entries(response)) {
    if (value !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${writeMember(value)}`;
  }
  return `{${text}}`;
}

function holdsJsonText(value: unknown): boolean {
  return value instanceof JsonText || (Array.isArray(value) && value.some((item) => item instanceof JsonText));
}

function writeMember(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  if (!Array.isArray(value)) return JSON.stringify(value);
  return `[${value.map((item: unknown) => (item instanceof JsonText ? item.text : JSON.stringify(item))).join(',')}]`;
}
