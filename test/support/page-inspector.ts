/**
 * Functions that inspect a document inside the browser. Each is sent there as source text, so it must not refer to
 * anything outside itself except `inspector`, which holds all of them, and `axe`.
 */
import type { AxeResults, RunOptions } from 'axe-core';

/** Globals of a page or frame after axe-core was evaluated in it. */
interface AxeGlobals {
  readonly axe: {
    run(context: Document | { readonly include: readonly Element[] }, options: RunOptions): Promise<AxeResults>;
  };
}

/** Globals of the page after `inspectorScript` was evaluated in it. */
interface PageGlobals {
  readonly inspector: typeof inspector;
}

/** A check that needs the document alone, so that it can run on many. */
export type BatchCheck = 'findOverflow' | 'findSmallTargets' | 'findCoveredTargets';

interface Batch {
  readonly pages: readonly { readonly name: string; readonly html: string }[];
  readonly width: number;
  readonly checks: readonly BatchCheck[];
  /** The source of axe-core and what it looks for in each document, beside contrast. */
  readonly axe?: { readonly source: string; readonly options: RunOptions };
}

/**
 * The elements with text, or to enter some, whose look is not in `seen`, which then has it: their tags, attributes and
 * neighbours, and those of what they are in. A style sheet does not tell others apart.
 */
function findNewLooks(shown: Document, seen: Set<string>): readonly Element[] {
  const looks = new Map<Element | null, string>([[null, '']]);
  for (const element of shown.querySelectorAll('*')) {
    const { parentElement, previousElementSibling: previous, nextElementSibling: next } = element;
    const attributes = [...element.attributes].map(({ name, value }) =>
      ['class', 'type', 'style'].includes(name) ? `${name}=${value}` : name,
    );
    const neighbours = [previous?.tagName, previous?.className, next === null ? 'last' : ''];
    const own = [element.tagName, ...attributes.toSorted(), ...neighbours].join(' ');
    looks.set(element, `${looks.get(parentElement) ?? ''} > ${own}`);
  }
  const isRead = (element: Element) =>
    element.matches('input, select, textarea') ||
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '');
  return [...shown.body.querySelectorAll('*')].filter((element) => {
    const look = looks.get(element) ?? '';
    const isNew = isRead(element) && !seen.has(look);
    if (isNew) seen.add(look);
    return isNew;
  });
}

/** What axe-core finds in the document, which has it among its globals; with `seen`, in what looks new. */
async function findViolations(shown: Document, options: RunOptions, seen?: Set<string>): Promise<readonly string[]> {
  const { inspector } = globalThis as unknown as PageGlobals;
  const { axe } = shown.defaultView as unknown as AxeGlobals;
  const include = seen === undefined ? [] : inspector.findNewLooks(shown, seen);
  if (seen !== undefined && include.length === 0) return [];
  const { violations } = await axe.run(seen === undefined ? shown : { include }, options);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.any[0]?.message ?? ''}`),
  );
}

/** What the rules of axe-core find, and always that of contrast: it takes as long as all others, so it reads what looks new. */
async function findAllViolations(
  shown: Document,
  options: RunOptions,
  seen = new Set<string>(),
): Promise<readonly string[]> {
  const { inspector } = globalThis as unknown as PageGlobals;
  const withoutContrast = { ...options, rules: { ...options.rules, 'color-contrast': { enabled: false } } };
  return [
    ...(await inspector.findViolations(shown, withoutContrast)),
    ...(await inspector.findViolations(shown, { ...options, runOnly: ['color-contrast'] }, seen)),
  ];
}

/** Opens `<details>`, shows hidden elements and checks every box, so that the other functions see all content. */
function expandAll(shown: Document): void {
  for (const details of shown.querySelectorAll('details')) details.open = true;
  for (const hidden of shown.querySelectorAll('[hidden]')) hidden.removeAttribute('hidden');
  for (const box of shown.querySelectorAll<HTMLInputElement>('[type=checkbox]')) box.checked = true;
}

/** Horizontal scrolling of the page, and elements that clip their content. */
function findOverflow(shown: Document): readonly string[] {
  const cutBy = (element: Element) => {
    const { overflowX, clipPath, textOverflow } = getComputedStyle(element);
    // Form fields scroll while people type, and dots say that there is more text.
    const isIntended =
      overflowX === 'visible' ||
      clipPath !== 'none' ||
      textOverflow === 'ellipsis' ||
      element.matches('input, textarea, select');
    return isIntended ? 0 : element.scrollWidth - element.clientWidth;
  };
  const { scrollWidth, clientWidth } = shown.documentElement;
  const cut = [...shown.querySelectorAll('body *')].filter((element) => cutBy(element) > 1);
  return [
    ...(scrollWidth > clientWidth ? [`scrolls sideways by ${String(scrollWidth - clientWidth)} pixels`] : []),
    ...cut.map((element) => `cut by ${String(cutBy(element))} pixels: ${element.outerHTML.slice(0, 120)}`),
  ];
}

/** Targets that are not within the width of the window. Those that show when they get the focus are above it. */
function findOutside(shown: Document): readonly string[] {
  const { clientWidth } = shown.documentElement;
  const targets = [...shown.querySelectorAll('a[href], button, input, select, textarea, summary')];
  return targets
    .filter((target) => target.checkVisibility())
    .filter((target) => {
      const { left, right } = target.getBoundingClientRect();
      return left < 0 || right > clientWidth;
    })
    .map((target) => `outside of the window: ${target.outerHTML.slice(0, 120)}`);
}

/** WCAG 2.2, 2.4.7: every element that Tab reaches shows an outline, inside the window. */
function findInvisibleFocus(): readonly string[] {
  const focusable = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex]';
  const stops = [...document.querySelectorAll<HTMLElement>(focusable)].filter((stop) => stop.checkVisibility());
  return stops.flatMap((stop) => {
    stop.focus({ preventScroll: true });
    const { outlineStyle, outlineWidth } = getComputedStyle(stop);
    const { left, right, width, height } = stop.getBoundingClientRect();
    const isInside = right > 0 && left < innerWidth && width > 0 && height > 0;
    const isVisible = stop.matches(':focus-visible') && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    return isInside && isVisible ? [] : [`focus is not visible: ${stop.outerHTML.slice(0, 120)}`];
  });
}

/**
 * Targets below 24 by 24 CSS pixels. Stricter than WCAG 2.2, 2.5.8: space around a target does not excuse its size;
 * only being part of a sentence does. The label of a checkbox, radio button or file field counts as part of it.
 */
function findSmallTargets(shown: Document): readonly string[] {
  const least = 24;
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const blockOf = (element: Element | null): Element | null => {
    let block = element;
    while (block !== null && getComputedStyle(block).display === 'inline') block = block.parentElement;
    return block;
  };
  const isInSentence = (target: Element) => {
    if (getComputedStyle(target).display !== 'inline') return false;
    const block = blockOf(target);
    const texts = shown.createTreeWalker(block ?? target, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
      const parent = text.parentElement;
      const isOutside = parent?.closest(selector) === null && blockOf(parent) === block;
      if (isOutside && /\p{L}/u.test(text.textContent ?? '')) return true;
    }
    return false;
  };
  const targets = [...shown.querySelectorAll<HTMLElement>(selector)].filter((target) => target.checkVisibility());
  return targets.flatMap((target) => {
    const labels = target.matches('[type=checkbox], [type=radio], [type=file]')
      ? [...((target as HTMLInputElement).labels ?? [])]
      : [];
    const boxes = [target, ...labels].map((element) => element.getBoundingClientRect());
    const height = Math.max(...boxes.map(({ bottom }) => bottom)) - Math.min(...boxes.map(({ top }) => top));
    const width = Math.max(...boxes.map(({ right }) => right)) - Math.min(...boxes.map(({ left }) => left));
    // Layout rounds to 1/64 of a pixel.
    if (Math.min(width, height) > least - 0.02 || isInSentence(target)) return [];
    return [`${width.toFixed(1)} by ${height.toFixed(1)} pixels to press: ${target.outerHTML.slice(0, 120)}`];
  });
}

/** Targets that another one overlaps. A link of several lines has several boxes. Takes a tenth of the time of axe-core. */
function findCoveredTargets(shown: Document): readonly string[] {
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary';
  const targets = [...shown.querySelectorAll(selector)]
    .filter((target) => target.checkVisibility())
    .map((element) => ({ element, boxes: [...element.getClientRects()] }));
  // Layout rounds to 1/64 of a pixel.
  const overlap = (one: DOMRect, other: DOMRect) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 0.02 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 0.02;
  return targets.flatMap(({ element, boxes }, index) =>
    targets
      .slice(index + 1)
      .filter((other) => !element.contains(other.element))
      .filter((other) => boxes.some((one) => other.boxes.some((box) => overlap(one, box))))
      .map((other) => `overlap: ${element.outerHTML.slice(0, 120)} and ${other.element.outerHTML.slice(0, 120)}`),
  );
}

/**
 * Inspects many documents in one frame. Their stylesheets are adopted by the frame: each is parsed once, and each document
 * has its layout at once.
 */
async function inspectBatch({ pages, width, checks, axe }: Batch): Promise<readonly string[]> {
  const { inspector } = globalThis as unknown as PageGlobals;
  const frame = document.createElement('iframe');
  frame.style.cssText = `width: ${String(width)}px; height: 600px; border: 0`;
  frame.srcdoc = '<!DOCTYPE html>';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const shown = frame.contentDocument as Document; // The frame is of our origin.
  if (axe !== undefined) {
    shown.head.append(Object.assign(shown.createElement('script'), { textContent: axe.source }));
  }
  const { DOMParser, CSSStyleSheet } = shown.defaultView as typeof globalThis & Window;
  // axe-core accepts only nodes that were created by the globals of its own frame.
  const parser = new DOMParser();
  const sheets = new Map<string, CSSStyleSheet>();
  const readSheet = async (style: Element) => {
    const { href } = style as HTMLLinkElement;
    const key = href ?? style.textContent;
    const sheet = sheets.get(key) ?? new CSSStyleSheet();
    if (!sheets.has(key)) await sheet.replace(href === undefined ? key : await (await fetch(href)).text());
    sheets.set(key, sheet);
    return sheet;
  };
  const found: string[] = [];
  const seen = new Set<string>();
  for (const { name, html } of pages) {
    const { documentElement: root } = parser.parseFromString(html, 'text/html');
    const styles = [...root.querySelectorAll('link[rel=stylesheet], style')];
    shown.adoptedStyleSheets = await Promise.all(styles.map(readSheet));
    for (const style of styles) style.remove();
    shown.documentElement.replaceWith(shown.adoptNode(root));
    inspector.expandAll(shown);
    for (const check of checks) {
      for (const one of inspector[check](shown)) found.push(`${name}: ${one}`);
    }
    const violations = axe === undefined ? [] : await inspector.findAllViolations(shown, axe.options, seen);
    for (const one of violations) found.push(`${name}: ${one}`);
  }
  frame.remove();
  return found;
}

const inspector = {
  findNewLooks,
  findViolations,
  findAllViolations,
  expandAll,
  findOverflow,
  findOutside,
  findInvisibleFocus,
  findSmallTargets,
  findCoveredTargets,
  inspectBatch,
};

/** Evaluated in a page, defines `inspector` there. */
export const inspectorScript = `globalThis.inspector = {${Object.values(inspector).map(String).map(asMethod).join(',')}}`;

function asMethod(source: string): string {
  return source.replace(/^(async )?function /, '$1');
}
