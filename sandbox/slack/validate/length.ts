/** Returns a text's length in code points, which JSON Schema counts. Slack doesn't say what it counts. */
export function lengthOf(text: string): number {
  return [...text].length;
}
