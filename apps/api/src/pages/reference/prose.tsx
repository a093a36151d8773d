import type { VNode } from 'preact';

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
