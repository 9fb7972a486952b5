package io.headgate.jdbc;

import io.headgate.JobError;
import java.util.Optional;

/**
 * A job of a store in a list of {@link StoreListing}.
 *
 * @param key where it stands: the next page begins after the last key
 * @param id its id
 * @param state waiting, running, suspended or held; or completed, failed, interrupted or unstarted
 * @param attempts how many starts it had that count
 * @param uncertainStarts how many starts of it have an unknown end; 0 for one that has ended
 * @param bytes its weighed size
 * @param error the last error, if it had one
 * @param payload its bytes, if they were asked for and are kept
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record ListedJob(
    long key,
    String id,
    String state,
    int attempts,
    int uncertainStarts,
    long bytes,
    Optional<JobError> error,
    Optional<byte[]> payload) {}
