/** Messages that belong in the thread of another: what has become of the incidents that it announced. It only adds. */
export const THREADS = `
ALTER TABLE digests ADD COLUMN thread_of text;
`;
