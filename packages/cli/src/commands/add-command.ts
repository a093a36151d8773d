import type { Command } from 'commander';

interface CommandDescription {
  /** `create` or `show <username>`. */
  readonly usage: string;
  readonly summary: string;
}

/** Adds a command with the option `--json`. */
export function addCommand(parent: Command, { usage, summary }: CommandDescription): Command {
  return parent
    .command(usage)
    .description(summary)
    .option('--json', 'print one JSON document on stdout; logs go to stderr')
    .allowExcessArguments(false);
}
