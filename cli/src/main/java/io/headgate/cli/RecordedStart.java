package io.headgate.cli;

import io.headgate.Handler;
import io.headgate.Job;
import io.headgate.JobContext;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Has each start recorded before the command is started, and that it completed before it counts as
 * completed: the worker's own report has it from the return of the handler.
 */
final class RecordedStart implements Handler<Item> {
  private final Handler<Item> commands;
  private final int attempts;
  private final Supplier<@Nullable StoreRecord> record;

  /**
   * @param attempts how often a command that fails is run, in all
   * @param record opened before anything is read
   */
  RecordedStart(Handler<Item> commands, int attempts, Supplier<@Nullable StoreRecord> record) {
    this.commands = commands;
    this.attempts = attempts;
    this.record = record;
  }

  @Override
  public void handle(Job<Item> job, JobContext context) throws Exception {
    StoreRecord store = Objects.requireNonNull(record.get());
    Item item = job.payload();
    if (context.attempt() > 1) {
      item.execution().again();
    }
    if (!context.isCancelled()) {
      store.starting(item);
    }
    try {
      commands.handle(job, context);
    } catch (ExitStatus | KilledBySignal e) {
      if (context.attempt() < attempts) {
        store.pausing(item);
      }
      throw e;
    }
    store.completed(item);
  }
}
