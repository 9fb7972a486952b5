package io.headgate.cli;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code headgate run} was asked to do.
 *
 * @param concurrency commands that run at once
 * @param capacity lines that are accepted beyond those that run
 * @param refuseWhenFull whether a line that finds no room is refused; otherwise it waits
 * @param timeout the longest run of one command, if that is limited
 * @param grace how long a stop lets accepted work run
 * @param cleanup how long a stop waits for cancelled commands
 * @param history outcomes kept for the report
 * @param report the file for the report, {@code -} for standard output, or none
 * @param command the words of the command; not empty
 */
record RunOptions(
    int concurrency,
    int capacity,
    boolean refuseWhenFull,
    @Nullable Duration timeout,
    Duration grace,
    Duration cleanup,
    int history,
    @Nullable String report,
    List<String> command) {}
