/** What an agent should know while the code of the project is indexed for the first time; nothing before and after that. */
export function firstIndexNote(state: { isComplete: boolean } | undefined): string | undefined {
  return state === undefined || state.isComplete
    ? undefined
    : "The code of this project is being indexed for the first time: what hangs together with what is not known in full yet.";
}
