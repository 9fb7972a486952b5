package io.headgate.jdbc;

import io.headgate.JobError;
import java.util.Optional;

/**
 * What a list shows of a job in a store; never its payload.
 *
 * @param key where it stands in its list: the next page begins after the last key
 * @param id its id
 * @param attempts how many starts it had that count
 * @param uncertainStarts how many starts of it have an unknown end
 * @param bytes its weighed size
 * @param error the last error, if it had one
 */
public record StoredJob(
    long key, String id, int attempts, int uncertainStarts, long bytes, Optional<JobError> error) {}
