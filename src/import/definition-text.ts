/** Writes the definition of a collection as its file has it: a line for each field, check and unique rule. */
import { inlineYaml, yamlLines } from '../compatibility/definition-yaml.ts';

export function definitionText({ unique, ...keys }: Readonly<Record<string, unknown>>): string {
  const rules = (unique ?? []) as readonly unknown[];
  const lines = rules.map((rule) => `  - ${inlineYaml(rule)}\n`);
  return yamlLines(keys) + (lines.length === 0 ? '' : `unique:\n${lines.join('')}`);
}
