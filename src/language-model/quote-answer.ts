/** What somebody else said, as it stands at the end of a message of ours. */
export function quoteAnswer(said: string): string {
  return `“${said}”`;
}

/** The message without what it quotes: a server may repeat what it was given, and that must not outlive a purge. */
export function withoutQuotedAnswer(message: string): string {
  return message.replace(/:? “[^]*$/, ".");
}
