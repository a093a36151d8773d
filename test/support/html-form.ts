/** Forms in the HTML of our pages, for tests without a real browser. */

interface HtmlForm {
  readonly method: string;
  /** The fields that it sends, without those that a person has to fill in. */
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The form of a page that is sent to `action`, with which a script or a person continues. */
export function findFormTo({ html }: { readonly html: string }, action: string): HtmlForm | undefined {
  const form = formsOf(html).find((one) => readAttribute(one, 'action') === action);
  return form === undefined ? undefined : { method: readAttribute(form, 'method'), fields: readFields(form) };
}

/** The elements, as HTML. */
export const formsOf = (html: string): readonly string[] =>
  [...html.matchAll(/<form\b.*?<\/form>/gs)].map(([form]) => form);

/** The fields that a browser sends if nothing is filled in. */
export function readFields(form: string): [name: string, value: string][] {
  // A quoted value may contain `>`.
  const inputs = [...form.matchAll(/<input\b(?:[^>"]|"[^"]*")*>/g)].map(([input]) => input);
  return inputs.filter(isSent).map((input) => [readAttribute(input, 'name'), readAttribute(input, 'value')]);
}

function isSent(input: string): boolean {
  return readAttribute(input, 'name') !== '' && (!/type="(checkbox|radio)"/.test(input) || / checked\b/.test(input));
}

export function readAttribute(element: string, attribute: string): string {
  const [, value = ''] = new RegExp(`^<(?:[^>"]|"[^"]*")*?\\s${attribute}="([^"]*)"`).exec(element) ?? [];
  return value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');
}
