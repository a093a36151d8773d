import type { ComponentChildren, VNode } from 'preact';

interface ResponseFormProps {
  /** With http or https. */
  readonly redirectUri: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Not the main action of its page, which warns of it. */
  readonly isEven?: boolean;
  /** The button's label. */
  readonly children: ComponentChildren;
}

/**
 * Posts an authorization response to the application. Without a CSRF token, which is ours alone. Browsers must not
 * restore values of an earlier response.
 */
export function ResponseForm({ redirectUri, fields, isEven = false, children }: ResponseFormProps): VNode {
  return (
    <form method="post" action={redirectUri} autocomplete="off">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={isEven ? 'button even' : 'button'} data-testid="continue-to-application">
        {children}
      </button>
    </form>
  );
}
