/** Formats the slug in SERVICE_NAME for people: `little-bird` becomes `Little Bird`. */
export function formatServiceName(slug: string): string {
  return slug
    .split('-')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ');
}
