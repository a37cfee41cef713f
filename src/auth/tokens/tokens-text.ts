/** Writes a number of tokens for what a command prints. */
export function tokensText(count: number): string {
  return count === 1 ? '1 token' : `${count} tokens`;
}
