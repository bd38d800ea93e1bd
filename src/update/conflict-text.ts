/** How a conflict is told, and how the team resolves it. */

/** A conflict with the names of its files as they are shown. */
export interface ShownConflict {
  readonly file: string;
  readonly newFile: string;
  /** Whether the new file is the merge with conflict markers, and not the generated text. */
  readonly isMarked: boolean;
}

/** Says what the file beside one in conflict holds. */
export const conflictFileText = ({ newFile, isMarked }: ShownConflict): string =>
  isMarked
    ? `the merge is in ${newFile}, with both sides between markers`
    : `the newly generated text is in ${newFile}`;

/** Says how to resolve conflicts, of which there is at least one; `next` is the last step. */
export function resolveText(conflicts: readonly ShownConflict[], next: string): string {
  const [first] = conflicts;
  const isOne = conflicts.length === 1 && first !== undefined;
  if (isOne && first.isMarked) {
    return `Decide at each marker in ${first.newFile}, move it over ${first.file}, and ${next}.`;
  }
  if (isOne) return `Copy what you need from it, remove ${first.newFile}, and ${next}.`;
  const marked = conflicts.filter(({ isMarked }) => isMarked).length;
  if (marked === conflicts.length) {
    return `Decide at each marker in the .new files, move each over its file, and ${next}.`;
  }
  if (marked === 0) return `Copy what you need from the .new files, remove them, and ${next}.`;
  return `Decide at each marker in the .new files and move each of these over its file, copy what you need from the others and remove them, and ${next}.`;
}
