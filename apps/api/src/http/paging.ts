/** Rows of a list that a page shows. */
export interface Window {
  readonly limit: number;
  readonly offset: number;
}

/** The rows of a 1-based page; nothing past the latest `listed` rows is reachable (decisions D26, D28). */
export function pageWindow({ count, page }: { readonly count: number; readonly page: number }, listed: number): Window {
  const offset = Math.min((page - 1) * count, listed);
  return { limit: Math.min(count, listed - offset), offset };
}

/** As `pageWindow`, for lists without a window. */
export function pageRows({ count, page }: { readonly count: number; readonly page: number }): Window {
  return { limit: count, offset: (page - 1) * count };
}
