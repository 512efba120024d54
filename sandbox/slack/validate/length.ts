/** How long a text is for Slack's limits: in code points, which is what JSON Schema counts. Slack does not say what it counts. */
export function lengthOf(text: string): number {
  return [...text].length;
}
