import type { VNode } from 'preact';

interface AvatarProps {
  readonly src: string;
  readonly size: 'small' | 'usual' | 'large';
}

/** The picture of an account. Decoration: the name is always beside it. */
export function Avatar({ src, size }: AvatarProps): VNode {
  const pixels = { small: 32, usual: 44, large: 96 }[size];
  return (
    <img class={`avatar ${size}`} src={src} alt="" width={pixels} height={pixels} loading="lazy" decoding="async" />
  );
}
