/** The rule of decision D183 for the refresh tokens of one sign-in, as a model. */

/** What a token that is presented gets. */
export type Presented = 'refused' | 'same' | 'new';

interface Use {
  readonly hour: number;
  readonly successor: string;
  readonly key: string | undefined;
}

export class RefreshModel {
  isEnded = false;
  #hour = 0;
  /** The key of the request that is answered. */
  #key: string | undefined;
  readonly #uses = new Map<string, Use>();
  readonly #replaced = new Set<string>();
  readonly #keys = new Map<string, string>();

  sleep(hours: number): void {
    this.#hour += hours;
  }

  bind(token: string, key: string | undefined): void {
    if (key !== undefined) this.#keys.set(token, key);
  }

  /** `key`: of a public application's proof. */
  present(token: string, key: string | undefined): Presented {
    this.#key = key;
    const bound = this.#keys.get(token);
    if (this.isEnded || (bound !== undefined && bound !== key)) return 'refused';
    const use = this.#uses.get(token);
    if (this.#replaced.has(token) || (use !== undefined && this.#uses.has(use.successor))) {
      this.isEnded = true;
      return 'refused';
    }
    return use?.hour === this.#hour && use.key === key ? 'same' : 'new';
  }

  /** `successor` is what `token` got. @throws Error if it should be the same as before, or should not be */
  follow(token: string, successor: string, presented: Presented): void {
    const before = this.#uses.get(token);
    const isSame = before?.successor === successor;
    if (isSame !== (presented === 'same')) throw new Error(`this is not the ${presented} successor`);
    if (before !== undefined && presented === 'new') this.#replaced.add(before.successor);
    this.#uses.set(token, { hour: this.#hour, successor, key: this.#key });
    this.bind(successor, this.#keys.get(token) ?? this.#key);
  }
}
