/** How the client looks in this browser. */
export const themes = ['system', 'light', 'dark'] as const;
export const textSizes = ['small', 'usual', 'large', 'largest'] as const;

export interface Appearance {
  readonly theme: (typeof themes)[number];
  readonly text: (typeof textSizes)[number];
}

const key = 'linnet-client-appearance';

export function findAppearance(): Appearance {
  const kept = localStorage.getItem(key);
  return kept === null ? { theme: 'system', text: 'usual' } : (JSON.parse(kept) as Appearance); // `keepAppearance` wrote it
}

export function keepAppearance(appearance: Appearance): void {
  localStorage.setItem(key, JSON.stringify(appearance));
  showAppearance();
}

/** The stylesheet, and the bar of the browser, follow it. */
export function showAppearance(): void {
  const { theme, text } = findAppearance();
  Object.assign(document.documentElement.dataset, { theme, text });
  for (const bar of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const own = bar.dataset['theme'] ?? '';
    if (theme === 'system') bar.media = `(prefers-color-scheme: ${own})`;
    else bar.media = theme === own ? 'all' : 'not all';
  }
}
