import { peers } from './peers.ts';

interface Bar {
  readonly label: string;
  readonly r: number;
  readonly isOurs: boolean;
}

const width = 760;
const labelWidth = 230;
const barHeight = 16;
const gap = 6;
/** R at the left edge of the logarithmic scale. */
const least = 0.0005;

/** An SVG bar chart of R on a logarithmic scale, each target with its peers below it. */
export function drawChart(rows: readonly { readonly name: string; readonly r: number }[]): string {
  const bars = rows.flatMap(({ name, r }): Bar[] => [
    { label: name, r, isOurs: true },
    ...Object.entries(peers[name] ?? {}).map(([peer, peerR]) => ({ label: peer, r: peerR, isOurs: false })),
  ]);
  const height = bars.length * (barHeight + gap) + gap;
  const drawn = bars.map((bar, index) => drawBar(bar, gap + index * (barHeight + gap))).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" font-family="sans-serif" font-size="12" role="img" aria-label="R of each call beside its peers, logarithmic">
<rect width="100%" height="100%" fill="#fff"/>
${drawn}
</svg>
`;
}

function drawBar({ label, r, isOurs }: Bar, y: number): string {
  const longest = width - labelWidth - 70;
  const length = Math.max(2, (Math.log(r / least) / Math.log(1 / least)) * longest);
  const baseline = y + barHeight - 4;
  const text = `<text x="${String(labelWidth - 8)}" y="${String(baseline)}" text-anchor="end"${isOurs ? ' font-weight="bold"' : ''}>${label}</text>`;
  const bar = `<rect x="${String(labelWidth)}" y="${String(y)}" width="${length.toFixed(1)}" height="${String(barHeight)}" fill="${isOurs ? '#0b6bcb' : '#9aa5b1'}"/>`;
  const value = `<text x="${(labelWidth + length + 6).toFixed(1)}" y="${String(baseline)}">${String(Number(r.toPrecision(2)))}</text>`;
  return text + bar + value;
}
