/** A guide without its content. */
export interface Guide {
  readonly slug: string;
  readonly title: string;
  /** What the reader achieves: the first paragraph, as text. */
  readonly description: string;
  readonly sections: readonly GuideSection[];
}

export interface GuideSection {
  /** The anchor. */
  readonly id: string;
  readonly heading: string;
}
