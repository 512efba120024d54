/** The last failure of the episode before episode `s`, in the order of recording; 0 if there is none. The episode's own come after it. */
export const AFTER_SEQ = `coalesce(
  (SELECT max(older.newest_seq) FROM episodes older WHERE older.incident_key = s.incident_key AND older.id < s.id), 0)`;

/** The condition that episode `s` is the last one of its incident. */
export const IS_LAST = `
  NOT EXISTS (SELECT 1 FROM episodes later WHERE later.incident_key = s.incident_key AND later.id > s.id)`;
