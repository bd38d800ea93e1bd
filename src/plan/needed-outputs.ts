/**
 * Which outputs a project has: those that its definitions decide, and of the offered ones those that another of its
 * files imports, generated or of the team. So no generated file lacks what it imports, and no file that a team imports
 * goes away with the definitions that needed it.
 */
/** A file of the team, or a generated one that the team has edited. */
export interface TeamFile {
  readonly path: string;
  /** Whether it was generated; else it is the team's own. */
  readonly isGenerated: boolean;
  /** The files that the team's code in it imports. */
  readonly imports: readonly string[];
  /** Those that the text imports that was generated for it last: they count if it is generated no more. */
  readonly generatedImports: readonly string[];
}

interface Needs<Output> {
  /** Those that the definitions decide. */
  readonly outputs: readonly Output[];
  readonly offered: readonly Output[];
  /** The files that an output imports. */
  readonly importsOf: (output: Output) => readonly string[];
  readonly team: readonly TeamFile[];
}

/** The outputs of a project. Each is given before its imports are looked at, so that it can be formatted meanwhile. */
export function* neededOutputs<Output extends { readonly target: string }>({
  outputs,
  offered,
  importsOf,
  team,
}: Needs<Output>): Generator<Output> {
  const needed = [...outputs];
  const rest = new Map(offered.map((output) => [output.target, output]));
  const take = (files: readonly string[]): void => {
    for (const file of files) {
      const output = rest.get(file);
      if (output !== undefined) needed.push(output);
      rest.delete(file);
    }
  };
  const targets = new Set([...needed.map(({ target }) => target), ...rest.keys()]);
  const own = new Set(team.filter(({ isGenerated }) => !isGenerated).map(({ path }) => path));
  for (const { path, imports, generatedImports } of team) {
    // A file of the team's own may have the name of one that other services have.
    take(imports.filter((file) => !own.has(file)));
    if (!targets.has(path)) take(generatedImports);
  }
  for (let at = 0; at < needed.length;) {
    for (; at < needed.length; at += 1) {
      const output = needed[at]!;
      yield output;
      take(importsOf(output));
    }
    // An edited file that nothing imports is left to the team with all of its imports.
    for (const { path, generatedImports } of team) if (rest.has(path)) take(generatedImports);
  }
}
