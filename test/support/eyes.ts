/**
 * What looks at a document inside of the browser. Each function is sent there as its text, so that it holds all that
 * it needs; `look` has them by their names.
 */
import type { AxeResults, RunOptions } from 'axe-core';

/** What `bringEyes` leaves in the page. */
interface Brought {
  readonly axe: { run(document: Document, options: RunOptions): Promise<AxeResults> };
  readonly look: typeof eyes;
}

interface Wide {
  readonly pages: readonly { readonly name: string; readonly html: string }[];
  readonly width: number;
}

async function findBarriers(options: RunOptions): Promise<readonly string[]> {
  const { axe } = globalThis as unknown as Brought;
  const { violations } = await axe.run(document, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`),
  );
}

/** Shows what is folded, hidden, or there for chosen boxes alone. */
function unfold(shown: Document): void {
  for (const details of shown.querySelectorAll('details')) details.open = true;
  for (const hidden of shown.querySelectorAll('[hidden]')) hidden.removeAttribute('hidden');
  for (const box of shown.querySelectorAll<HTMLInputElement>('[type=checkbox]')) box.checked = true;
}

/** What reaches beyond the window, and what is cut at the edge of something. */
function findWide(shown: Document): readonly string[] {
  const cutBy = (element: Element) => {
    const { overflowX, clipPath } = getComputedStyle(element);
    // Fields are scrolled by who types.
    const isMeant = overflowX === 'visible' || clipPath !== 'none' || element.matches('input, textarea, select');
    return isMeant ? 0 : element.scrollWidth - element.clientWidth;
  };
  const { scrollWidth, clientWidth } = shown.documentElement;
  const cut = [...shown.querySelectorAll('body *')].filter((element) => cutBy(element) > 1);
  return [
    ...(scrollWidth > clientWidth ? [`scrolls sideways by ${String(scrollWidth - clientWidth)} pixels`] : []),
    ...cut.map((element) => `cut by ${String(cutBy(element))} pixels: ${element.outerHTML.slice(0, 120)}`),
  ];
}

/** Whoever comes there by Tab has to see it (WCAG 2.2, 2.4.7), inside of the page. */
function findUnseenFocus(): readonly string[] {
  const canBeFocused = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const stops = [...document.querySelectorAll<HTMLElement>(canBeFocused)].filter((stop) => stop.checkVisibility());
  return stops.flatMap((stop) => {
    stop.focus({ preventScroll: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(stop);
    const { left, right, width, height } = stop.getBoundingClientRect();
    const isInside = right > 0 && left < innerWidth && width > 0 && height > 0;
    const isSeen = stop.matches(':focus-visible') && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return isInside && isSeen ? [] : [`the focus is not seen: ${stop.outerHTML.slice(0, 120)}`];
  });
}

/** Many documents, one after the other, each with its stylesheet inside: it is drawn at once. */
async function findWideIn({ pages, width }: Wide): Promise<readonly string[]> {
  const { look } = globalThis as unknown as Brought;
  const frame = document.createElement('iframe');
  frame.style.cssText = `width: ${String(width)}px; height: 600px; border: 0`;
  frame.srcdoc = '<!DOCTYPE html>';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const shown = frame.contentDocument as Document; // The frame is of our origin.
  const styles = new Map<string, string>();
  const found: string[] = [];
  for (const { name, html } of pages) {
    const { documentElement: root } = new DOMParser().parseFromString(html, 'text/html');
    for (const link of root.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) {
      const style = styles.get(link.href) ?? (await (await fetch(link.href)).text());
      styles.set(link.href, style);
      link.replaceWith(Object.assign(document.createElement('style'), { textContent: style }));
    }
    shown.documentElement.replaceWith(shown.adoptNode(root));
    look.unfold(shown);
    for (const one of look.findWide(shown)) found.push(`${name}: ${one}`);
  }
  frame.remove();
  return found;
}

const eyes = { findBarriers, unfold, findWide, findUnseenFocus, findWideIn };

/** To be evaluated in a page: `look` is there afterwards. */
export const bringEyes = `globalThis.look = {${Object.values(eyes).map(String).map(asMethod).join(',')}}`;

/** The text of a function is that of a method but for one word. */
function asMethod(text: string): string {
  return text.replace(/^(async )?function /, '$1');
}
