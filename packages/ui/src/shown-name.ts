/** SERVICE_NAME as pages show it: `little-bird` is `Little Bird`. */
export function toShownName(slug: string): string {
  return slug
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');
}
