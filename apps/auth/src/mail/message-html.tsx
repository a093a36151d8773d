import type { Language } from '@linnet/contract/languages';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

/** A message before it is rendered as HTML and text. */
export interface Message {
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** A button in HTML, a URL on its own line in text. */
  readonly action?: { readonly label: string; readonly href: string } | undefined;
  /** Below the action: how long the link is valid, and what to do if the recipient did not request it. */
  readonly after: readonly string[];
  /** Names the service and the recipient. */
  readonly footer: string;
}

export function renderText({ paragraphs, action, after, footer }: Message): string {
  const parts = [
    ...paragraphs,
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ...after,
    `-- \n${footer}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

interface MessageHtmlProps {
  readonly language: Language;
  readonly serviceName: string;
  readonly message: Message;
}

/** A complete HTML document that loads nothing and is readable in clients that ignore style sheets. */
export function renderHtml(props: MessageHtmlProps): string {
  const html = renderToString(<MessageDocument {...props} />);
  return `<!DOCTYPE html>\n${html.replace('<div class="card"', `${outlookStart}$&`).replace('</body>', `${outlookEnd}$&`)}\n`;
}

// Outlook for Windows knows no `max-width`; a table bounds the text.
const outlookStart =
  '<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0"><tr><td><![endif]-->';
const outlookEnd = '<!--[if mso]></td></tr></table><![endif]-->';

// Mail clients support little CSS: sizes and light colours are inline, dark colours in the style sheet.
const styles = {
  body: 'margin:0;padding:24px 12px;background:#f5f1ea;color:#211d1a;font:16px/1.5 system-ui,-apple-system,Segoe UI,Roboto,sans-serif',
  card: 'max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:12px',
  name: 'margin:0 0 16px;font-size:18px;font-weight:600',
  // Each line has the direction of its own first letter: some quote what people wrote.
  text: 'margin:0 0 16px;overflow-wrap:anywhere;unicode-bidi:plaintext',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#34508f;color:#ffffff;font-weight:600;text-decoration:none',
  address: 'margin:0 0 16px;font-size:13px;word-break:break-all',
  footer: 'max-width:560px;margin:16px auto 0;padding:0 24px;font-size:13px;color:#665f58',
} as const;

const darkStyles = `@media (prefers-color-scheme: dark) {
body { background: #191512 !important; color: #ece6de !important; }
.card { background: #221e1a !important; }
.button { background: #adbdf3 !important; color: #151a2b !important; }
.address a { color: #adbdf3 !important; }
.footer { color: #b3aaa0 !important; }
}`;

function MessageDocument({ language, serviceName, message }: MessageHtmlProps): VNode {
  const { subject, paragraphs, action, after, footer } = message;
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{darkStyles}</style>
      </head>
      <body style={styles.body}>
        <div class="card" style={styles.card}>
          <p style={styles.name}>{serviceName}</p>
          <Paragraphs texts={paragraphs} />
          {action === undefined ? null : <Action {...action} />}
          <Paragraphs texts={after} />
        </div>
        <p class="footer" style={styles.footer}>
          {footer}
        </p>
      </body>
    </html>
  );
}

function Paragraphs({ texts }: { readonly texts: readonly string[] }): VNode {
  return (
    <>
      {texts.map((text) => (
        <p key={text} style={styles.text}>
          {text.split('\n').flatMap((line, index) => (index === 0 ? [line] : [<br key={index} />, line]))}
        </p>
      ))}
    </>
  );
}

function Action({ label, href }: NonNullable<Message['action']>): VNode {
  return (
    <>
      <p style={styles.text}>
        <a class="button" style={styles.button} href={href}>
          {label}
        </a>
      </p>
      <p class="address" style={styles.address}>
        <a href={href}>{href}</a>
      </p>
    </>
  );
}
