/**
 * Uses of the shapes of the newest version in the team's own code, where an older version has other ones. An endpoint
 * with such a shape shows the members of the newest version to clients of the older one.
 */
import type { Model } from '../model/types.ts';
import { isVersioned } from '../model/versions.ts';

/** One line that uses a shape of the newest version. */
export interface NewestShapeUse {
  readonly path: string;
  readonly line: number;
  /** The shape, the body or the reader of bodies: `OrderShape`. */
  readonly name: string;
  /** What to use instead: `views.orders(version).shape`. */
  readonly use: string;
}

interface NewestShapesInput {
  readonly model: Model;
  /** The source files of the project. */
  readonly files: () => Iterable<{ readonly path: string; readonly text: string }>;
  /** The text that is generated for a path; undefined for a file of the team. */
  readonly generated: (path: string) => string | undefined;
}

/** Generated files that have endpoints: others may mention a shape without showing anything to a client. */
const ROUTES = /^src\/collections\/[^/]+\/routes\.ts$/;

/** The first line of each file with each name, by file and line. Tests are left out. */
export function usesOfNewestShapes(input: NewestShapesInput): readonly NewestShapeUse[] {
  const { model, files, generated } = input;
  const shapes = model.collections
    .filter(({ definition }) => isVersioned(model, definition.name))
    .flatMap(({ names: { kebab, type, itemCamel, camel } }) =>
      [
        [`${type}Shape`, 'shape'],
        [`${type}Body`, 'body'],
        [`${itemCamel}Bodies`, 'bodies'],
      ].map(([name = '', member = '']) => ({
        name,
        use: `views.${camel}(version).${member}`,
        module: new RegExp(`/${kebab}/schema\\b|'\\./schema\\b`),
        pattern: new RegExp(`(?<![\\w$])${name}(?![\\w$])`),
      })),
    );
  if (shapes.length === 0) return [];
  const uses: NewestShapeUse[] = [];
  for (const { path, text } of files()) {
    const generatedText = generated(path);
    if (!/^src\/.*\.[cm]?[jt]s$/.test(path) || (generatedText !== undefined && !ROUTES.test(path)))
      continue;
    const known = new Set(generatedText?.split('\n'));
    const lines = text.split('\n');
    for (const { name, use, module, pattern } of shapes) {
      if (!module.test(text)) continue;
      const index = lines.findIndex((line) => pattern.test(line) && !known.has(line));
      if (index !== -1) uses.push({ path, line: index + 1, name, use });
    }
  }
  return uses.toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : one.path < other.path ? -1 : 1,
  );
}
