/** Events that can't be seen any longer: how often they were asked for in vain, and how many were given up. It only adds. */
export const MISSES = `
-- how often in a row it was asked for and not seen
ALTER TABLE sightings ADD COLUMN misses integer NOT NULL DEFAULT 0;
-- unsettled events that couldn't be seen up to the horizon, since the cursor was made
ALTER TABLE cursors ADD COLUMN given_up bigint NOT NULL DEFAULT 0;
`;
